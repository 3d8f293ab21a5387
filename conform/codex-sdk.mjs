// @ts-check
import { drive, load, nodeOptions } from './drive.mjs';

await drive(async () => {
  const { Codex } = await load();
  process.env.NODE_OPTIONS = nodeOptions;
  const thread = new Codex({ codexPathOverride: process.execPath }).startThread({ skipGitRepoCheck: true });
  return (await thread.runStreamed('go')).events;
});
