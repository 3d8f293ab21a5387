/** A stream that was lost is opened again: after a while, or at once when somebody knows better. */
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';

const message = { type: 'change', sessions: [], approvals: [] };
const open = () => new Response(`data: ${JSON.stringify(message)}\n\n`);

test('whoever knows that the server may be back does not wait for the time', async () => {
  const asked: string[] = [];
  const stopped: number[] = [];
  const answers = [() => Promise.reject(new TypeError('refused')), () => Promise.resolve(open())];
  const client = createClient({
    fetch: (path) => {
      asked.push(path);
      return answers.shift()?.() ?? new Promise<Response>(() => {});
    },
    retryMs: [2 ** 30],
    whileLost(again) {
      queueMicrotask(again);
      return () => void stopped.push(asked.length);
    },
  });
  const states: string[] = [];
  const { value } = await client.watchSessions({ onConnection: (state) => states.push(state) }).next();
  expect(value).toEqual(message);
  expect(states).toEqual(['lost', 'open']);
  expect([asked.length, stopped]).toEqual([2, [1]]);
});
