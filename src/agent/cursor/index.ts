/** Cursor's agent behind the agent contract. It was never run here: everything is from its documents and published captures. */
import type { Agent } from '../agent.js';
import { command, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';

export const cursor: Agent = {
  name: trace.name,
  title: trace.title,
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
    resumeAt: false,
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
  detect,
  command,
  createProtocol,
};
