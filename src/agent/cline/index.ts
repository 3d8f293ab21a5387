/** Cline behind the agent contract. */
import type { Agent } from '../agent.js';
import { command, efforts, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

export const cline: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'cline',
  program,
  efforts,
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
    resumeAt: false,
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
  detect,
  command,
  createProtocol,
  presence: trace.presence,
  transcripts,
};
