/** Drives one agent's protocol without a process: lines in, drafts out. */
import type { Draft } from '../../event/index.js';
import type { Agent } from '../agent.js';
import type { CommandRequest } from '../command.js';

/** All drafts for these lines and the end of the stream. */
export function draftsOf(agent: Agent, lines: readonly unknown[], request?: Partial<CommandRequest>): Draft[] {
  const protocol = agent.createProtocol(request);
  const steps = [protocol.start(), ...lines.map((line) => protocol.receive(line, 100)), protocol.end()];
  return steps.flatMap(({ events }) => events).map(withoutAbsent);
}

/** A request with everything that is required, for agents that are told how they were started. */
export function requestFor(request: Partial<CommandRequest> = {}): CommandRequest {
  return { mode: 'one-shot', permission: 'deny', cwd: '/repo', deltas: true, ...request };
}

/** As it is kept and sent: what is undefined is not there. */
export function withoutAbsent(draft: Draft): Draft {
  return JSON.parse(JSON.stringify(draft));
}
