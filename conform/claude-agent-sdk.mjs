// @ts-check
import { fileURLToPath } from 'node:url';
import { drive, load, standIn } from './drive.mjs';

await drive(async () => {
  const { query } = await load();
  return query({ prompt: 'go', options: { pathToClaudeCodeExecutable: fileURLToPath(standIn), settingSources: [] } });
});
