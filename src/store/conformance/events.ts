/** Small made-up runs for the cases of the store. */
import type { AgentEvent, Payload } from '../../event/index.js';

export const START = Date.UTC(2026, 0, 31, 12);

type Loose = Payload & { fromSeq?: number; parent?: string; turn?: number; at?: number };

export interface RunFacts {
  runId: string;
  agent?: string;
  sessionId?: string;
  at?: number;
  firstSeq?: number;
}

/** Stamps payloads in order, a second apart. */
export function stamp({ runId, agent = 'fake', sessionId, at = START, firstSeq = 1 }: RunFacts, payloads: Loose[]) {
  return payloads.map((payload, index) => {
    const seq = firstSeq + index;
    const known = sessionId === undefined ? {} : { sessionId };
    return { seq, at: at + seq * 1000, runId, agent, source: 'stream', turn: 1, ...known, ...payload } as AgentEvent;
  });
}

export interface RunContent {
  prompt?: string;
  text?: string;
  thinking?: string;
  command?: string;
  output?: string;
  usd?: number;
  model?: string;
  cwd?: string;
}

/** One turn: the agent introduces itself, thinks, runs a command, answers, and the run ends. */
export function wholeRun(facts: RunFacts, story: RunContent = {}): AgentEvent[] {
  const { prompt = 'Fix the test', text = 'All done', thinking, command = 'npm test', output = 'ok' } = story;
  const { usd, model = 'big-1', cwd = '/work/project' } = story;
  const usage = { inputTokens: 100, outputTokens: 20 };
  const cost = usd === undefined ? undefined : ({ usd, scope: 'process', origin: 'reported' } as const);
  return stamp(facts, [
    { type: 'session-start', model, cwd, agentVersion: '1.2.3' },
    { type: 'turn-start' },
    { type: 'user-message', text: prompt },
    { type: 'message-start', messageId: 'm1', model },
    ...(thinking ? [{ type: 'thinking-end', messageId: 'm1', index: 0, text: thinking } as const] : []),
    { type: 'tool-start', id: 't1', name: 'Bash', kind: 'execute', messageId: 'm1' },
    { type: 'tool-input-end', id: 't1', input: { command }, summary: command },
    { type: 'message-end', messageId: 'm1', usage: { inputTokens: 60, outputTokens: 10 } },
    { type: 'tool-end', id: 't1', status: 'ok', output },
    { type: 'message-start', messageId: 'm2', model },
    { type: 'text-end', messageId: 'm2', index: 0, text },
    { type: 'message-end', messageId: 'm2', usage: { inputTokens: 40, outputTokens: 10 } },
    { type: 'turn-end', outcome: 'success', text, usage, ...(cost && { cost }) },
    {
      type: 'run-end',
      reason: 'finished',
      text,
      turns: 1,
      durationMs: 1000,
      open: { tools: [], tasks: [], approvals: [], processes: [] },
    },
  ]);
}
