/** `glassbox sessions`: what was run, the last active first. */
import { homedir } from 'node:os';
import type { ListQuery, SessionRecord, Store } from '../store/index.js';
import { createPaint } from '../view/text/palette.js';
import { safeJson } from '../view/text/safe.js';
import { wantsColor } from './color.js';
import type { SessionsFlags } from './command/sessions.js';
import type { Context } from './context.js';
import { filterOf } from './filter-flag.js';
import { note } from './note.js';
import { sessionCells } from './session-cell.js';
import { print } from './sink.js';
import { table } from './table.js';
import { withStore } from './with-store.js';

export async function listSessions(this: Context, flags: SessionsFlags, ...words: string[]): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const query: ListQuery = { ...filterOf(flags, this.process), text: words.join(' '), limit: flags.limit };
  if (flags.state) query.state = flags.state;
  await withStore(flags, async (store) => {
    const { items, cursor } = await store.list(query);
    if (flags.json)
      return print(
        stdout,
        items.map((session) => safeJson({ schema: 1, ...session })),
      );
    const paint = createPaint(wantsColor(flags.color, stdout, env));
    const rows = items.map((session) => sessionCells(session, { home: homedir() }));
    await print(stdout, table(rows, paint, stdout.columns));
    if (items.length === 0) note(stderr, await emptyText(store));
    else if (cursor) note(stderr, `these are the latest ${items.length}; --limit ${flags.limit * 5} shows more.`);
    else tellWaiting(items, stderr);
  });
}

/** Nothing to see is the moment to say how there would be. */
export async function emptyText(store: Store): Promise<string> {
  const any = (await store.list({ limit: 1 })).items.length > 0;
  if (any) return 'no session is like that. glassbox sessions lists all.';
  return (
    'there are no sessions yet. glassbox run keeps every run; ' +
    'glassbox import brings the history that agents left on this machine.'
  );
}

function tellWaiting(sessions: readonly SessionRecord[], stderr: NodeJS.Process['stderr']): void {
  const waiting = sessions.filter(({ state }) => state === 'waiting').length;
  if (waiting > 0) note(stderr, `${waiting} wait${waiting === 1 ? 's' : ''} for your answer.`);
}
