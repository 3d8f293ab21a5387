/** How a kept session is continued, and how it is called then. */
import { homedir } from 'node:os';
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

export function continuation({ id, agentSessionId, state, runs }: SessionRecord): Partial<RunRequest> {
  if (state !== 'ended') throw new GlassboxError('conflict', `The session ${id} is still running.`);
  if (agentSessionId === undefined) {
    throw new GlassboxError(
      'unsupported-capability',
      `The session ${id} ended before its agent said how to continue it.`,
    );
  }
  const balance = runs.at(-1)?.balance;
  return { resume: agentSessionId, ...(balance && { balance }) };
}
