/** Many who watch a store: after the same news the sessions are read once for all of them, and never from before the news. */
import { expect, test } from 'vitest';
import type { Change, Door } from '../../src/store/shell/engine.js';
import { storeOver } from '../../src/store/shell/store-over.js';
import type { SessionRecord } from '../../src/store.js';

const change = (session: number): Change => ({ runId: `r${session}`, session }) as unknown as Change;

test('the sessions that changed are read once for all who watch, and anew after each news', async () => {
  const heard = new Set<(news: readonly Change[]) => void>();
  const reads: { numbers: readonly number[]; give(): void }[] = [];
  const door = {
    listen(notice: (news: readonly Change[]) => void) {
      heard.add(notice);
      return () => heard.delete(notice);
    },
    call: (_: string, numbers: readonly number[]) =>
      new Promise((resolve) => {
        const read = reads.length + 1;
        reads.push({ numbers, give: () => resolve([{ id: `read ${read}` }]) });
      }),
  } as unknown as Door;
  const store = storeOver(door, { location: ':nowhere:' });
  const watchers = Array.from({ length: 5 }, () => store.watch()[Symbol.asyncIterator]());
  const tell = (...sessions: number[]) => {
    for (const notice of heard) notice(sessions.map(change));
  };
  const idOf = ({ value }: IteratorResult<SessionRecord[]>) => (value as SessionRecord[])[0]?.id;

  // Heard before anybody asks.
  tell(7, 3);
  const first = watchers.map((watcher) => watcher.next());
  await expect.poll(() => reads.map(({ numbers }) => numbers)).toEqual([[3, 7]]);

  // What is still being read does not know of it.
  tell(3);
  reads[0]?.give();
  expect((await Promise.all(first)).map(idOf)).toEqual(Array(5).fill('read 1'));
  const second = watchers.map((watcher) => watcher.next());
  await expect.poll(() => reads.map(({ numbers }) => numbers)).toEqual([[3, 7], [3]]);
  reads[1]?.give();
  expect((await Promise.all(second)).map(idOf)).toEqual(Array(5).fill('read 2'));
});
