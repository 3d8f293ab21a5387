/** A glassbox process of its own that runs the fake agent, so that a test can kill it: `owner.mjs PROGRAM wait|exit`. */
import { tmpdir } from 'node:os';
import { run } from '../../dist/run.js';

const [program, then] = process.argv.slice(2);
const handle = run({ agent: 'claude', prompt: 'go', program, permission: 'deny', cwd: tmpdir() });
for await (const event of handle.events) {
  if (event.type !== 'turn-start') continue;
  console.log(handle.runId);
  if (then === 'exit') process.exit(0);
}
