/** Drives one agent's protocol without a process: lines in, drafts out. */
import type { Agent, CommandRequest } from '../../src/agent/index.js';
import type { Draft, DraftOf, EventType } from '../../src/event/index.js';

/** All drafts for these values and the end of the stream. */
export function draftsOf(agent: Agent, values: readonly unknown[], request?: Partial<CommandRequest>): Draft[] {
  const protocol = agent.createProtocol(request);
  const steps = [protocol.start(), ...values.map((value) => protocol.receive(value, 100)), protocol.end()];
  return steps.flatMap(({ events }) => events).map(withoutAbsent);
}

export function ofType<Type extends EventType>(drafts: readonly Draft[], type: Type): DraftOf<Type>[] {
  return drafts.filter((draft) => draft.type === type) as DraftOf<Type>[];
}

/** A request with everything that is required, for agents that are told how they were started. */
export function requestFor(request: Partial<CommandRequest> = {}): CommandRequest {
  return { mode: 'one-shot', permission: 'deny', cwd: '/repo', deltas: true, ...request };
}

function withoutAbsent(draft: Draft): Draft {
  return JSON.parse(JSON.stringify(draft));
}
