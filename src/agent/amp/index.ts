/** Amp behind the agent contract. */
import type { Agent } from '../agent.js';
import { PICTURES } from '../attachment.js';
import { command, efforts, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';

export const amp: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'amp',
  program,
  efforts,
  attachments: PICTURES,
  outputFlags,
  openArgs: (sessionId) => ['threads', 'continue', sessionId],
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
    resumeAt: false,
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
  detect,
  command,
  createProtocol,
};
