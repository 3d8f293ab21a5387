/** Plays events given as bare bodies: tests say what matters, the stamp is made here. */
import { type AgentEvent, type Context, defined, type Loose, type Payload, type Stamp } from '../../src/event/index.js';
import { initialState, reduce, type SessionState } from '../../src/session/index.js';

export type Body = Loose<Payload & Partial<Context & Stamp>>;

/** Numbered per run, one second apart, in turn 1 unless a body says otherwise. */
export function stamped(bodies: readonly Body[]): AgentEvent[] {
  const numbers = new Map<string, number>();
  return bodies.map((body, index) => {
    const runId = body.runId ?? 'run';
    const seq = (numbers.get(runId) ?? 0) + 1;
    numbers.set(runId, seq);
    const stamp = { seq, at: 1000 * (index + 1), runId, agent: 'agent', source: 'stream', turn: 1 };
    return { ...stamp, ...defined<Payload>(body) } as AgentEvent;
  });
}

export function play(bodies: readonly Body[], from: SessionState = initialState): SessionState {
  return stamped(bodies).reduce(reduce, from);
}

/** Events without which a state must come out the same. */
export function isLifecycle({ type }: { type: string }): boolean {
  return !type.endsWith('-delta') && !type.endsWith('-progress');
}
