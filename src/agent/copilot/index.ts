/** GitHub Copilot CLI behind the agent contract. */
import type { Agent } from '../agent.js';
import { PICTURES } from '../attachment.js';
import { command, efforts, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

export const copilot: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'copilot_cli',
  program,
  efforts,
  attachments: PICTURES,
  outputFlags,
  openArgs: (sessionId) => [`--resume=${sessionId}`],
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
    resumeAt: false,
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
  detect,
  command,
  createProtocol,
  transcripts,
  presence: trace.presence,
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
