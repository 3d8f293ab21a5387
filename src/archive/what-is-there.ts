/** What the store knows of conversations, asked once: asking for each of them costs more than reading a small one. */
import type { Store } from '../store/store.js';

interface WhatIsThere {
  /** A run, or a conversation by the agent's id for it. */
  has(id: string): boolean;
  /** The words of this run, of whichever state. */
  hasWords(runId: string): boolean;
  /** All of it, in this state. */
  isRead(runId: string, state: string): boolean;
  /** Only its figures, in this state. */
  isCounted(runId: string, state: string): boolean;
}

export async function whatIsThere(store: Store): Promise<WhatIsThere> {
  const ids = new Set<string>();
  const read = new Map<string, string | undefined>();
  const counted = new Map<string, string | undefined>();
  for (const { runId, agentSessionId, sourceState, onlyFigures } of await store.sources()) {
    ids.add(runId);
    if (agentSessionId !== undefined) ids.add(agentSessionId);
    (onlyFigures ? counted : read).set(runId, sourceState);
  }
  return {
    has: (id) => ids.has(id),
    hasWords: (runId) => read.has(runId),
    isRead: (runId, state) => read.get(runId) === state,
    isCounted: (runId, state) => counted.get(runId) === state,
  };
}
