// @ts-check
import { drive, load, nodeOptions } from './drive.mjs';

await drive(async () => {
  const { execute } = await load();
  // It starts the program of the package beside it, with Node.
  process.env.NODE_OPTIONS = nodeOptions;
  return execute({ prompt: 'go', options: {} });
});
