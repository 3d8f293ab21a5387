/** A stream that came through a pipe before, wholly or in part: it is kept once, and what says less goes. */
import { isBeginning } from '../beginning.js';
import type { Row } from '../table/row.js';
import { eventsOf } from './event.js';
import { recountRun } from './recount.js';
import { deleteRun, removeRun } from './run.js';
import type { Transaction } from './transaction.js';

/** For a piped run that was read to its end, in the state of its source. True when nothing of it is left to keep. */
export async function mergePiped(tx: Transaction, run: Row, sourceState: string): Promise<boolean> {
  const [no, session, agent] = [Number(run.no), Number(run.session), String(run.agent)];
  // To the byte.
  const copied = await tx.get(
    'select * from run where agent = $1 and no < $2 and piped = 1 and source_state = $3 order by no limit 1',
    ...[agent, no, sourceState],
  );
  if (copied) return remove(tx, run, copied);
  // Read before, of the same conversation, and nobody reads it any more.
  const others = await tx.all(
    'select * from run where session = $1 and agent = $2 and no < $3 and piped = 1 and ended_at is not null order by no',
    ...[session, agent, no],
  );
  const events = others.length > 0 ? await eventsOf(tx, no) : [];
  for (const earlier of others) {
    const before = await eventsOf(tx, Number(earlier.no));
    if (isBeginning(events, before)) return remove(tx, run, earlier);
    if (isBeginning(before, events)) await replace(tx, earlier, no);
  }
  return false;
}

async function remove(tx: Transaction, run: Row, known: Row): Promise<true> {
  await removeRun(tx, run);
  tx.noteChange(Number(known.no));
  return true;
}

/** What was counted from the shorter reading on is counted from where that one began. */
async function replace(tx: Transaction, shorter: Row, run: number): Promise<void> {
  await deleteRun(tx, Number(shorter.no));
  await tx.run(
    'update run set resumed_from = $1 where resumed_from = $2',
    shorter.resumed_from ?? null,
    Number(shorter.no),
  );
  await recountRun(tx, run);
}
