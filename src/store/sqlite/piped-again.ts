/** A stream that came through a pipe before, wholly or in part: it is kept once, and what says less goes. */
import type { AgentEvent } from '../../event/index.js';
import { isBeginning } from '../beginning.js';
import type { Row } from '../table/row.js';
import { noteChange } from './change.js';
import type { Connection } from './connection.js';
import { eventOf } from './event-row.js';
import { recountRun } from './recount.js';
import { deleteRun, removeRun } from './run.js';
import { RUN_SHIFT } from './schema.js';

const PAGE = 200;

/** For a piped run that was read to its end, in the state of its source. True when nothing of it is left to keep. */
export function mergePiped(db: Connection, run: Row, sourceState: string): boolean {
  const copied = copiedBy(db, run, sourceState);
  if (copied) return remove(db, run, copied);
  for (const earlier of othersOf(db, run)) {
    if (isBeginning(eventsOf(db, run), eventsOf(db, earlier))) return remove(db, run, earlier);
    if (isBeginning(eventsOf(db, earlier), eventsOf(db, run))) replace(db, earlier, run);
  }
  return false;
}

/** The earlier run whose stream is the same to the byte. */
function copiedBy(db: Connection, { no, agent }: Row, sourceState: string): Row | undefined {
  return db.get(
    'select * from run where agent = ? and no < ? and piped and source_state = ?',
    ...[String(agent), Number(no), sourceState],
  );
}

/** Read before, of the same conversation, and nobody reads it any more. */
function othersOf(db: Connection, { no, agent, session }: Row): Row[] {
  return db.all(
    'select * from run where session = ? and agent = ? and no < ? and piped and ended_at is not null order by no',
    ...[Number(session), String(agent), Number(no)],
  );
}

function remove(db: Connection, run: Row, known: Row): true {
  removeRun(db, run);
  noteChange(db, Number(known.no));
  return true;
}

/** What was counted from the shorter reading on is counted from where that one began. */
function replace(db: Connection, shorter: Row, run: Row): void {
  deleteRun(db, Number(shorter.no));
  db.run('update run set resumed_from = ? where resumed_from = ?', shorter.resumed_from ?? null, Number(shorter.no));
  recountRun(db, Number(run.no));
}

function* eventsOf(db: Connection, { no }: Row): Generator<AgentEvent, void, undefined> {
  const end = (Number(no) + 1) * RUN_SHIFT;
  for (let from = Number(no) * RUN_SHIFT; ; ) {
    const rows = db.all(`select id, body, sum from event where id >= ? and id < ? limit ${PAGE}`, from, end);
    for (const row of rows) {
      const event = eventOf(row);
      if (event) yield event;
    }
    if (rows.length < PAGE) return;
    from = Number(rows.at(-1)?.id) + 1;
  }
}
