/** Amp behind the agent contract. */
import type { Agent } from '../agent.js';
import { isObject, string } from '../field.js';
import { command, outputFlags, program } from './command.js';
import { createProtocol } from './protocol.js';

export const amp: Agent = {
  name: 'amp',
  title: 'Amp',
  kind: 'amp',
  program,
  outputFlags,
  capabilities: {
    deltas: false,
    thinking: true,
    approvals: false,
    editInput: false,
    questions: false,
    interrupt: false,
    followUp: true,
    resume: true,
    continueLast: true,
    fork: false,
    sessionId: false,
    model: false,
    addDirs: false,
    allowedTools: false,
    mcpConfig: true,
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: false,
    usage: true,
  },
  detect: (values) => Math.max(0, ...values.map(sureness)),
  command,
  createProtocol,
};

/** Threads are named `T-<uuid>`, and nobody else does that. */
function sureness(line: unknown): number {
  if (!isObject(line) || !string(line.session_id)?.startsWith('T-')) return 0;
  return line.type === 'system' && line.subtype === 'init' ? 1 : 0.9;
}
