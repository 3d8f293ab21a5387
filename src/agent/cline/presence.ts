/** Cline's sessions: `<session>/<session>.json` names the process of each and whether it works, asks (`pending`) or is idle (3.0.65). */
import { members, number, string } from '../field.js';
import type { Registered, SignsOfLife } from '../presence.js';

export const SESSION_FOLDERS = [
  '$CLINE_SESSION_DATA_DIR',
  '$CLINE_DATA_DIR/sessions',
  '$CLINE_DIR/data/sessions',
  '~/.cline/data/sessions',
];

export const presence: SignsOfLife = {
  registry: {
    folders: SESSION_FOLDERS,
    files: /^\d+_\w+\/\d+_\w+\.json$/,
    depth: 1,
    // Its other processes serve all sessions, and live on.
    isComplete: true,
    read(path, value): Registered | undefined {
      const { pid, cwd, status, interactive, started_at: startedAt, ended_at: endedAt } = members(value);
      const [sessionId = '', file] = path.split('/');
      const [begun, ended] = [timeIn(startedAt), timeIn(endedAt)];
      const process = number(pid);
      if (process === undefined || begun === undefined || file !== `${sessionId}.json`) return undefined;
      const place = string(cwd) === undefined ? {} : { cwd: String(cwd) };
      if (ended !== undefined) return { sessionId, ...place, says: 'ended', at: ended, text: `${status}` };
      const held = { sessionId, ...place, process: { pid: process }, isWrittenOnce: true, text: `${status}` } as const;
      if (status === 'running') return { ...held, says: 'working' };
      if (status === 'pending') return { ...held, says: 'waiting', for: ASKED, isCoarse: true };
      return status === 'idle' && interactive === true ? { ...held, says: 'idle', isCoarse: true } : held;
    },
  },
};

/** About what, stands in the conversation. */
const ASKED = { kind: 'approval', text: 'an answer' } as const;

function timeIn(value: unknown): number | undefined {
  return Date.parse(string(value) ?? '') || undefined;
}
