/** Cline behind the agent contract. */
import type { Agent } from '../agent.js';
import { isObject, members } from '../field.js';
import { command, outputFlags, program } from './command.js';
import { createProtocol } from './protocol.js';

export const cline: Agent = {
  name: 'cline',
  title: 'Cline',
  kind: 'cline',
  program,
  outputFlags,
  capabilities: {
    deltas: true,
    thinking: true,
    approvals: false,
    editInput: false,
    questions: false,
    interrupt: false,
    followUp: false,
    resume: false,
    continueLast: false,
    fork: false,
    sessionId: false,
    model: true,
    addDirs: false,
    allowedTools: false,
    mcpConfig: false,
    systemPrompt: 'in place of its own',
    structuredOutput: false,
    maxTurns: false,
    cost: 'where it knows the price of the model',
    usage: true,
  },
  detect: (values) => Math.max(0, ...values.map(certainty)),
  command,
  createProtocol,
};

function certainty(line: unknown): number {
  if (!isObject(line) || typeof line.ts !== 'string') return 0;
  if (line.type === 'hook_event') return typeof line.hookEventName === 'string' && 'agentId' in line ? 1 : 0;
  if (line.type === 'agent_event') return typeof members(line.event).type === 'string' ? 0.9 : 0;
  return line.type === 'run_result' ? 0.9 : 0;
}
