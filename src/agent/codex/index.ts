/** Codex, the command line agent of OpenAI: `exec --json` and the app-server behind one contract. */
import type { Agent } from '../agent.js';
import { PICTURES } from '../attachment.js';
import { createByFirstValue } from '../by-first-value.js';
import { isObject } from '../field.js';
import { inlineServersOnly } from '../mcp-config.js';
import { command, efforts, outputFlags, program, usesAppServer } from './command.js';
import { createConversationProtocol } from './conversation.js';
import { detect } from './detect.js';
import { createStreamProtocol } from './stream.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

export const codex: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'codex',
  envelopeIds: ['exec_stream'],
  program,
  efforts,
  attachments: PICTURES,
  capabilities: {
    deltas: 'in conversations (app-server); `exec` prints whole messages',
    thinking: 'summaries; raw thoughts only from models that give them',
    approvals: 'in conversations (app-server); `exec` never asks',
    editInput: false,
    questions:
      'in conversations (app-server): forms of MCP servers; its own only with `--enable default_mode_request_user_input`',
    interrupt: 'in conversations (app-server); otherwise the run ends',
    followUp: 'in conversations (app-server)',
    resume: true,
    continueLast: true,
    fork: true,
    resumeAt: 'turns of conversations (app-server); `exec` does not name its turns',
    sessionId: false,
    model: true,
    addDirs: true,
    allowedTools: false,
    mcpConfig: 'inline JSON; not a path',
    systemPrompt: 'as developer instructions, besides its own',
    structuredOutput: 'asked for; Codex does not check the answer against the schema',
    maxTurns: false,
    cost: 'computed from published prices, for known models; sub-agents are not counted',
    usage: 'the total of the whole thread after a resume',
  },
  outputFlags,
  openArgs: (sessionId) => ['resume', sessionId],
  cannot: inlineServersOnly,
  detect,
  command,
  createProtocol(request) {
    if (request?.mode === undefined)
      return createByFirstValue((value) =>
        isAppServer(value) ? createConversationProtocol() : createStreamProtocol(request),
      );
    return usesAppServer(request) ? createConversationProtocol(request) : createStreamProtocol(request);
  },
  transcripts,
};

/** The app-server prints JSON-RPC, `exec` prints typed lines. */
function isAppServer(value: unknown): boolean {
  return isObject(value) && !('type' in value) && ('method' in value || 'id' in value);
}
