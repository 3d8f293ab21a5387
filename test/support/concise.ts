import type { AgentEvent } from '../../src/event/index.js';

/** Events as expected results, one a line. */
export function conciseLines(events: readonly AgentEvent[]): string {
  return events.map((event, index) => `${JSON.stringify(concise(event, events[index - 1]))}\n`).join('');
}

/** Without what is the same in every event, what the line number says, and what the line before says already. */
function concise({ at: _at, runId: _runId, agent: _agent, seq: _seq, ...rest }: AgentEvent, before?: AgentEvent) {
  const { source, sessionId, ...own } = rest;
  return {
    ...own,
    ...(sessionId !== before?.sessionId && { sessionId }),
    ...(source !== 'stream' && { source }),
  };
}
