/** Kimi CLI behind the agent contract. It was never run here: everything is from its documents. */
import type { Agent } from '../agent.js';
import { isObject, parsed } from '../field.js';
import { command, outputFlags, program } from './command.js';
import { createProtocol } from './protocol.js';

export const kimi: Agent = {
  name: 'kimi',
  title: 'Kimi CLI (unverified)',
  kind: 'kimi',
  program,
  outputFlags,
  capabilities: {
    deltas: false,
    thinking: 'unverified',
    approvals: false,
    editInput: false,
    questions: false,
    interrupt: false,
    followUp: false,
    resume: 'unverified; the id is told only on stderr, so give one with the first run',
    continueLast: 'unverified',
    fork: false,
    sessionId: 'unverified',
    model: 'unverified',
    addDirs: false,
    allowedTools: false,
    mcpConfig: 'unverified; a path',
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: false,
    usage: false,
  },
  cannot: ({ mcpConfig }) =>
    isObject(parsed(mcpConfig ?? ''))
      ? 'take MCP servers as JSON (mcpConfig). Give the path of a file that has them.'
      : undefined,
  detect: (values) => Math.max(0, ...values.map(certainty)),
  command,
  createProtocol,
};

/** Messages of chat completions, without anything around them; others could print them too. */
function certainty(line: unknown): number {
  if (!isObject(line) || 'type' in line) return 0;
  if (line.role === 'tool') return typeof line.tool_call_id === 'string' && 'content' in line ? 0.5 : 0;
  if (line.role !== 'assistant') return 0;
  return typeof line.content === 'string' || Array.isArray(line.content) || Array.isArray(line.tool_calls) ? 0.5 : 0;
}
