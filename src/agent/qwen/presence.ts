/** Qwen Code's live sessions: `sessions/<pid>.json` of those in a terminal and `chats/<session>.runtime.json` name the process (0.24.4). */
import { members, number, string } from '../field.js';
import type { Registered, SignsOfLife } from '../presence.js';

export const presence: SignsOfLife = {
  movesAtWork: true,
  registry: {
    folders: ['$QWEN_HOME', '~/.qwen'],
    files: /^(sessions\/\d+\.json|projects\/[^/]+\/chats\/[0-9a-f-]{36}\.runtime\.json)$/,
    within: ['sessions', 'projects'],
    depth: 3,
    read(_, value): Registered | undefined {
      const entry = members(value);
      const pid = number(entry.pid);
      const sessionId = string(entry.sessionId) ?? string(entry.session_id);
      const cwd = string(entry.cwd) ?? string(entry.work_dir);
      if (pid === undefined || sessionId === undefined) return undefined;
      return {
        sessionId,
        process: { pid },
        isWrittenOnce: true,
        ...(cwd !== undefined && { cwd }),
        text: 'live',
      };
    },
  },
};
