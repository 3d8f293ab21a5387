/** Drives one agent's protocol without a process: lines in, drafts out. */
import { withoutAbsent } from '../../src/agent/conformance/drive.js';
import type { Action, Agent, CommandRequest, Protocol, Step } from '../../src/agent/index.js';
import type { Draft, DraftOf, EventType } from '../../src/event/index.js';

export { draftsOf, requestFor } from '../../src/agent/conformance/drive.js';

export function ofType<Type extends EventType>(drafts: readonly Draft[], type: Type): DraftOf<Type>[] {
  return drafts.filter((draft) => draft.type === type) as DraftOf<Type>[];
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
