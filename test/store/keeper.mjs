/** A process that owns a kept run of the fake agent: `keeper.mjs STORE RUN PROGRAM`. Prints what it hears of it, and how it ended. */
import { run } from '../../dist/run.js';
import { keepRun, openStore } from '../../dist/store.js';

const [, , file = '', runId = '', program = ''] = process.argv;
const store = await openStore(file);
const handle = run({ agent: 'claude', prompt: 'go', runId, program, survivorGraceMs: 100, followUp: true });
const print = (line) => console.log(JSON.stringify(line));
const kept = keepRun(handle, {
  store,
  onEvent: ({ type }) => print({ type }),
  onStoreFailure: ({ message }) => print({ failure: message }),
});
const { reason, detail } = await kept.done;
await store.close();
print({ reason, detail });
