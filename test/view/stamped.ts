/** Events of a made-up run, one each millisecond from 0. */
import type { AgentEvent } from '../../src/event/index.js';

type Made = { readonly type: AgentEvent['type'] } & Readonly<Record<string, unknown>>;

/** `from`: how many came before. */
export function stamped(drafts: readonly Made[], from = 0): AgentEvent[] {
  return drafts.map((draft, index) => ({
    seq: from + index + 1,
    at: from + index,
    runId: 'r',
    agent: 'toy',
    turn: 1,
    source: 'stream',
    ...draft,
  })) as AgentEvent[];
}
