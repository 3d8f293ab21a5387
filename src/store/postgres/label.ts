/** What a person says of a session. */
import { GlassboxError } from '../../event/index.js';
import { oneLine } from '../../word/index.js';
import type { SessionLabel } from '../record.js';
import { TITLE_LENGTH } from '../session-record.js';
import { findSession } from './session.js';
import type { Transaction } from './transaction.js';

/** Gives the session's number. */
export async function labelSession(
  tx: Transaction,
  ref: string,
  { name, pinned, archived }: SessionLabel,
): Promise<number> {
  const no = await findSession(tx, ref);
  if (no === undefined) throw new GlassboxError('not-found', `There is no session "${ref}".`);
  if (name !== undefined)
    await tx.run('update session set name = $1 where no = $2', oneLine(name, TITLE_LENGTH) || null, no);
  if (pinned !== undefined) await tx.run('update session set pinned = $1 where no = $2', pinned ? 1 : null, no);
  if (archived !== undefined) {
    const last = 'select max(updated_at) from run where run.session = session.no';
    await tx.run(`update session set archived_at = ${archived ? `(${last})` : 'null'} where no = $1`, no);
  }
  const run = await tx.get('select no from run where session = $1 order by started_at desc, no desc limit 1', no);
  if (run) tx.noteChange(Number(run.no));
  return no;
}
