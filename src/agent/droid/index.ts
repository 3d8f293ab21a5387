/** Factory Droid behind the agent contract. */
import type { Agent } from '../agent.js';
import { PICTURES } from '../attachment.js';
import { createByFirstValue } from '../by-first-value.js';
import { command, efforts, outputFlags, program, usesRpc } from './command.js';
import { createConversationProtocol } from './conversation.js';
import { detect, isRpc } from './detect.js';
import { createStreamProtocol } from './stream.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

export const droid: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'droid',
  program,
  efforts,
  attachments: PICTURES,
  outputFlags,
  openArgs: (sessionId) => ['--resume', sessionId],
  capabilities: {
    deltas: 'in JSON-RPC, which is used unless it may do everything',
    thinking: true,
    approvals: 'a refusal ends the turn',
    editInput: false,
    questions: true,
    interrupt: 'in JSON-RPC; otherwise the run ends',
    followUp: true,
    resume: true,
    continueLast: false,
    fork: 'with permission bypass and one prompt',
    resumeAt: false,
    sessionId: false,
    model: true,
    addDirs: false,
    allowedTools: true,
    mcpConfig: false,
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: false,
    usage: true,
  },
  cannot: (request) =>
    request.fork && usesRpc(request)
      ? 'fork a session while it asks or takes further messages (fork). Use permission bypass and one prompt, or resume it without fork.'
      : undefined,
  detect,
  command,
  createProtocol(request) {
    if (request?.mode === undefined) {
      return createByFirstValue((value) => (isRpc(value) ? createConversationProtocol({}) : createStreamProtocol({})));
    }
    return usesRpc(request) ? createConversationProtocol(request) : createStreamProtocol(request);
  },
  presence: trace.presence,
  transcripts,
};
