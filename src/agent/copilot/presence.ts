/** Copilot's live sessions: a lock in the folder of each session names the process that has it (1.0.102). It stays behind after a kill. */
import type { SignsOfLife } from '../presence.js';

const LOCK = /^([0-9a-f]{8}-[0-9a-f-]{27})\/inuse\.(\d+)\.lock$/;

export const presence: SignsOfLife = {
  movesAtWork: true,
  registry: {
    folders: ['$COPILOT_HOME/session-state', '~/.copilot/session-state'],
    files: LOCK,
    depth: 1,
    read(path) {
      const [, sessionId, pid] = LOCK.exec(path) ?? [];
      if (sessionId === undefined) return undefined;
      return { sessionId, process: { pid: Number(pid) }, isWrittenOnce: true, text: 'in use' };
    },
  },
};
