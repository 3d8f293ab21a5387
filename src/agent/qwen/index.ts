/** Qwen Code behind the agent contract. */
import type { Agent } from '../agent.js';
import { PICTURES } from '../attachment.js';
import { command, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { hooks } from './hooks.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

export const qwen: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'qwen_code',
  program,
  attachments: PICTURES,
  outputFlags,
  openArgs: (sessionId) => ['--resume', sessionId],
  capabilities: {
    deltas: true,
    thinking: true,
    approvals: 'an answer is waited for 60 seconds at most',
    editInput: 'not for shell commands, which run as first asked',
    questions: false,
    interrupt: true,
    followUp: true,
    resume: true,
    continueLast: true,
    fork: true,
    resumeAt: false,
    sessionId: true,
    model: true,
    addDirs: true,
    allowedTools: true,
    mcpConfig: true,
    systemPrompt: true,
    structuredOutput: true,
    maxTurns: true,
    cost: false,
    usage: true,
  },
  detect,
  command,
  createProtocol,
  transcripts,
  presence: trace.presence,
  hooks,
};
