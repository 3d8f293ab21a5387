/** Claude Code behind the agent contract. */
import type { Agent } from '../agent.js';
import { PICTURES_AND_PDF } from '../attachment.js';
import { adviceIfJoined } from '../claude-lines/detect.js';
import { command, efforts, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { readFrequent } from './frequent.js';
import { hooks } from './hooks.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

export const claude: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'claude_code',
  envelopeIds: ['print_stream_json'],
  program,
  efforts,
  attachments: PICTURES_AND_PDF,
  outputFlags,
  openArgs: (sessionId) => ['--resume', sessionId],
  capabilities: {
    deltas: true,
    thinking: true,
    approvals: true,
    editInput: true,
    questions: true,
    interrupt: true,
    followUp: true,
    resume: true,
    continueLast: true,
    fork: true,
    resumeAt: true,
    sessionId: true,
    model: true,
    addDirs: true,
    allowedTools: true,
    mcpConfig: true,
    systemPrompt: true,
    structuredOutput: true,
    maxTurns: true,
    cost: true,
    usage: true,
  },
  detect,
  otherOutput: adviceIfJoined,
  command,
  createProtocol,
  readFrequent,
  transcripts,
  hooks,
  presence: trace.presence,
};
