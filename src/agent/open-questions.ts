/** Questions to a person that an agent's own record tells: asked under an id, over when an answer under the same id, or the end of the turn, stands there. */
import type { Asked } from './transcript.js';

export interface OpenQuestions {
  ask(id: string | undefined, asked: Asked): void;
  settle(id: string | undefined): void;
  /** Nobody waits for an answer any more, whether one was noted or not. */
  clear(): void;
  /** The one that was asked last, of those that are open, as a part of what was read. */
  last(): { asks?: Asked };
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Map<string, Asked>();
  return {
    ask(id = '', asked) {
      open.delete(id);
      open.set(id, asked);
    },
    settle: (id = '') => void open.delete(id),
    clear: () => open.clear(),
    last() {
      const asks = [...open.values()].at(-1);
      return asks ? { asks } : {};
    },
  };
}
