/** Cursor's agent behind the agent contract. It was never run here: everything is from its documents and published captures. */
import type { Agent } from '../agent.js';
import { isObject } from '../field.js';
import { command, outputFlags, program } from './command.js';
import { createProtocol } from './protocol.js';

export const cursor: Agent = {
  name: 'cursor',
  title: 'Cursor (unverified)',
  kind: 'cursor',
  program,
  outputFlags,
  capabilities: {
    deltas: 'unverified',
    thinking: 'unverified',
    approvals: false,
    editInput: false,
    questions: false,
    interrupt: false,
    followUp: false,
    resume: 'unverified',
    continueLast: 'unverified',
    fork: false,
    sessionId: false,
    model: 'unverified',
    addDirs: false,
    allowedTools: false,
    mcpConfig: false,
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: false,
    usage: 'unverified; newer versions only',
  },
  detect: (values) => Math.max(0, ...values.map(certainty)),
  command,
  createProtocol,
};

function certainty(line: unknown): number {
  if (!isObject(line) || typeof line.session_id !== 'string') return 0;
  const { type, subtype } = line;
  if (type === 'system' && subtype === 'init') return 'apiKeySource' in line && !('tools' in line) ? 0.95 : 0;
  if (type === 'tool_call') return 'call_id' in line && isObject(line.tool_call) ? 1 : 0;
  if (type === 'thinking') return subtype === 'delta' || subtype === 'completed' ? 0.9 : 0;
  return type === 'result' && 'request_id' in line ? 0.8 : 0;
}
