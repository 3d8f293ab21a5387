/** Cline's sessions: `<session>/<session>.json` names the process of each, and says of one without a terminal that it works (3.0.65). */
import { members, number, string } from '../field.js';
import type { Registered, SignsOfLife } from '../presence.js';
import { SESSION_FOLDERS } from './transcript.js';

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
      const isWorking = status === 'running' && interactive === false;
      const says = isWorking ? ({ says: 'working', at: begun } as const) : {};
      return { sessionId, ...place, process: { pid: process }, isWrittenOnce: true, ...says, text: `${status}` };
    },
  },
};

function timeIn(value: unknown): number | undefined {
  return Date.parse(string(value) ?? '') || undefined;
}
