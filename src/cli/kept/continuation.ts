/** How a kept session is continued, and how it is called then. */
import { homedir } from 'node:os';
import { placeToGoOn } from '../../checkpoint/index.js';
import { formatAgo } from '../../client/moment.js';
import { GlassboxError } from '../../event/index.js';
import type { RunRequest } from '../../run/index.js';
import type { SessionRecord } from '../../store/index.js';
import { projectName } from '../print/session-cell.js';

/** For a remark: which session that is. */
export function describeSession({ id, agent, updatedAt, title, cwd }: SessionRecord): string {
  const where = projectName(cwd, homedir());
  return `${id} (${[agent, formatAgo(updatedAt), ...(where ? [where] : [])].join(', ')}): ${title || '(no prompt)'}`;
}

/** From where a rewind left it, or from its end. */
export async function continuation(session: SessionRecord): Promise<Partial<RunRequest>> {
  const { id, agentSessionId, state, runs } = session;
  if (state !== 'ended')
    throw new GlassboxError(
      'conflict',
      `The session ${id} is still running. Say it to its agent: glassbox say ${id} "…"`,
    );
  if (agentSessionId === undefined) {
    throw new GlassboxError(
      'unsupported-capability',
      `The session ${id} ended before its agent said how to continue it.`,
    );
  }
  const balance = runs.at(-1)?.balance;
  return { resume: agentSessionId, ...(balance && { balance }), ...(await placeToGoOn(session)) };
}
