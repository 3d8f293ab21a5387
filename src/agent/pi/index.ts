/** pi behind the agent contract. */
import type { Agent } from '../agent.js';
import { PICTURES } from '../attachment.js';
import { command, efforts, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

export const pi: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'pi',
  program,
  efforts,
  attachments: PICTURES,
  outputFlags,
  openArgs: (sessionId) => ['--session', sessionId],
  capabilities: {
    deltas: true,
    thinking: true,
    approvals: 'in conversations (rpc), by an extension that glassbox brings along',
    editInput: 'in conversations (rpc)',
    questions: 'in conversations (rpc): dialogs of extensions',
    interrupt: 'in conversations (rpc); otherwise the run ends',
    followUp: 'in conversations (rpc)',
    resume: true,
    continueLast: true,
    fork: 'by session id; not of the latest',
    resumeAt: false,
    sessionId: false,
    model: true,
    addDirs: false,
    allowedTools: true,
    mcpConfig: false,
    systemPrompt: true,
    structuredOutput: false,
    maxTurns: false,
    cost: true,
    usage: true,
  },
  cannot: ({ fork, resume }) =>
    fork && resume === 'latest' ? 'fork its latest session (fork). Give the id of the session.' : undefined,
  detect,
  command,
  createProtocol,
  presence: trace.presence,
  transcripts,
};
