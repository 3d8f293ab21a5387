/** GitHub Copilot CLI behind the agent contract. */
import type { Agent } from '../agent.js';
import { isObject, members } from '../field.js';
import { command, outputFlags, program } from './command.js';
import { createProtocol } from './protocol.js';

export const copilot: Agent = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  kind: 'copilot_cli',
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
    resume: true,
    continueLast: true,
    fork: false,
    sessionId: 'as a UUID; otherwise it is told only at the end',
    model: true,
    addDirs: true,
    allowedTools: true,
    mcpConfig: true,
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: false,
    usage: false,
  },
  cannot: ({ sessionId }) =>
    sessionId === undefined || UUID.test(sessionId)
      ? undefined
      : 'take a session id that is no UUID (sessionId). Give a UUID, or none.',
  detect: (values) => Math.max(0, ...values.map(certainty)),
  command,
  createProtocol,
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function certainty(line: unknown): number {
  if (!isObject(line) || typeof line.type !== 'string') return 0;
  if (line.type === 'result') return 'premiumRequests' in members(line.usage) ? 1 : 0;
  const isEnvelope = isObject(line.data) && typeof line.id === 'string' && 'parentId' in line;
  return isEnvelope && /^(session|user|assistant|model|tool|subagent)\./.test(line.type) ? 0.95 : 0;
}
