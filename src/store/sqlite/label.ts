/** What a person says of a session. */
import { GlassboxError } from '../../event/index.js';
import { oneLine } from '../../word/index.js';
import type { SessionLabel } from '../record.js';
import { TITLE_LENGTH } from '../session-record.js';
import { noteChange } from './change.js';
import type { Connection } from './connection.js';
import { findSession } from './session.js';

/** Gives the session's number. */
export function labelSession(db: Connection, ref: string, { name, pinned, archived }: SessionLabel): number {
  const no = findSession(db, ref);
  if (no === undefined) throw new GlassboxError('not-found', `There is no session "${ref}".`);
  if (name !== undefined) db.run('update session set name = ? where no = ?', oneLine(name, TITLE_LENGTH) || null, no);
  if (pinned !== undefined) db.run('update session set pinned = ? where no = ?', pinned ? 1 : null, no);
  if (archived !== undefined) {
    const last = 'select max(updated_at) from run where run.session = session.no';
    db.run(`update session set archived_at = ${archived ? `(${last})` : 'null'} where no = ?`, no);
  }
  const run = db.get('select no from run where session = ? order by started_at desc, no desc limit 1', no);
  if (run) noteChange(db, Number(run.no));
  return no;
}
