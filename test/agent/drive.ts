/** Drives one agent's protocol without a process: lines in, drafts out. */
import type { Action, Agent, CommandRequest, Protocol, Step } from '../../src/agent/index.js';
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

/** A conversation under way: what glassbox has sent and the events so far. */
export function converse(agent: Agent, request: CommandRequest) {
  return converseWith(agent.createProtocol(request));
}

export function converseWith(protocol: Protocol) {
  const sent: Record<string, unknown>[] = [];
  const events: Draft[] = [];
  const note = (step: Step | 'unsupported') => {
    if (step === 'unsupported') throw new Error('unsupported');
    sent.push(...step.send.map((line) => JSON.parse(line)));
    events.push(...step.events.map(withoutAbsent));
  };
  return {
    protocol,
    sent,
    events,
    start: () => note(protocol.start()),
    hear: (value: unknown) => note(protocol.receive(value, 100)),
    act: (action: Action) => note(protocol.act(action)),
    end: () => note(protocol.end()),
  };
}
