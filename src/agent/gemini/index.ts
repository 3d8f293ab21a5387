/** Gemini CLI behind the agent contract. */
import type { Agent } from '../agent.js';
import { isObject } from '../field.js';
import { command, outputFlags, program } from './command.js';
import { createProtocol } from './protocol.js';

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  kind: 'gemini_cli',
  program,
  outputFlags,
  capabilities: {
    deltas: true,
    thinking: false,
    approvals: false,
    editInput: false,
    questions: false,
    interrupt: false,
    followUp: false,
    resume: true,
    continueLast: true,
    fork: false,
    sessionId: true,
    model: true,
    addDirs: true,
    allowedTools: true,
    mcpConfig: false,
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: false,
    usage: true,
  },
  cannot: ({ disallowedTools }) =>
    disallowedTools?.length
      ? 'be told which tools not to use (disallowedTools). Choose a permission that fits.'
      : undefined,
  detect: (values) => Math.max(0, ...values.map(sureness)),
  command,
  createProtocol,
};

function sureness(line: unknown): number {
  if (!isObject(line) || typeof line.timestamp !== 'string') return 0;
  if (line.type === 'init') return typeof line.session_id === 'string' && typeof line.model === 'string' ? 1 : 0;
  if (line.type === 'message') return typeof line.role === 'string' && typeof line.content === 'string' ? 0.7 : 0;
  if (line.type === 'tool_use') return 'tool_name' in line && 'tool_id' in line ? 0.9 : 0;
  return line.type === 'result' && 'stats' in line ? 0.9 : 0;
}
