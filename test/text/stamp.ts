/** Hand-written events for the text view: only what a test is about, the rest filled in. */
import type { AgentEvent, EventOf, EventType } from '../../src/event/index.js';

type Fields<Type extends EventType> = Omit<
  EventOf<Type>,
  'type' | 'seq' | 'at' | 'runId' | 'agent' | 'source' | 'turn'
>;

export function stamp<Type extends EventType>(type: Type, fields: Fields<Type> & { parent?: string }): AgentEvent {
  return {
    seq: 1,
    at: 0,
    runId: 'r1',
    agent: 'claude',
    source: 'stream',
    turn: 1,
    ...fields,
    type,
  } as unknown as AgentEvent;
}
