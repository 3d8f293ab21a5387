// @ts-check
/** A process that uses the built store, for tests that need more than one: `writer.mjs FILE RUN COUNT`. Prints each acknowledged seq. */
import { openStore } from '../../dist/store.js';

const [, , file = '', runId = '', count = '1'] = process.argv;
const store = await openStore(file);
await store.startRun({ runId, agent: 'fake', startedAt: 1 });
for (let seq = 1; seq <= Number(count); seq += 1) {
  const context = { seq, at: seq, runId, agent: 'fake', source: /** @type {const} */ ('stream'), turn: 1 };
  const text = `${runId} says word${seq}`;
  const acknowledged = await store.append([{ type: 'text-end', messageId: `m${seq}`, index: 0, text, ...context }]);
  console.log(acknowledged);
}
// It ends without closing the store: an idle store must not keep a process alive.
