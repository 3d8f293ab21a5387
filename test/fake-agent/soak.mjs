/** Many runs in one process, in a row and at once; prints what is left of them as JSON. Started with --expose-gc by the soak test. */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { run } from '../../dist/run.js';

const [program, inRow, atOnce] = process.argv.slice(2);
const runIds = [];
const reasons = {};

async function once() {
  const handle = run({ agent: 'claude', prompt: 'go', program, permission: 'deny', cwd: tmpdir() });
  runIds.push(handle.runId);
  for await (const event of handle.events)
    if (event.type === 'run-end') reasons[event.reason] = (reasons[event.reason] ?? 0) + 1;
  await handle.completion;
}

function measure() {
  globalThis.gc();
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  const resources = process.getActiveResourcesInfo().filter((name) => name !== 'TTYWrap' && name !== 'PipeWrap').length;
  return { files: readdirSync('/proc/self/fd').length, listeners, resources, heap: process.memoryUsage().heapUsed };
}

function survivors() {
  return readdirSync('/proc').filter((pid) => {
    try {
      const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return runIds.some((runId) => environ.includes(runId));
    } catch {
      return false;
    }
  }).length;
}

const warmUp = 20;
for (let count = 0; count < warmUp; count += 1) await once();
const before = measure();
for (let count = 0; count < Number(inRow); count += 1) await once();
const afterRow = measure();
await Promise.all(Array.from({ length: Number(atOnce) }, once));
// The descriptors of the last ones are closed by the event loop, not by us.
for (let turn = 0; turn < 10_000 && readdirSync('/proc/self/fd').length > before.files; turn += 1) {
  await new Promise((resolve) => setImmediate(resolve));
}
const afterAll = measure();
console.log(JSON.stringify({ before, afterRow, afterAll, reasons, survivors: survivors() }));
