/** Kimi Code behind the agent contract. */
import { type AcpOptions, createAcpProtocol } from '../acp/protocol.js';
import type { Agent } from '../agent.js';
import { PICTURES } from '../attachment.js';
import { createByFirstValue } from '../by-first-value.js';
import { isObject } from '../field.js';
import { inlineServersOnly } from '../mcp-config.js';
import { command, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { createStreamProtocol } from './stream.js';
import { toolKnowledge } from './tools.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

const acp: AcpOptions = {
  tools: toolKnowledge,
  // `yolo` still asks about what is risky; `auto` never does.
  modes: { bypass: 'auto' },
  hints: {
    auth: 'Run `kimi` and `/login`, or set KIMI_MODEL_NAME, KIMI_MODEL_API_KEY and KIMI_MODEL_BASE_URL.',
    'model-not-found': 'Choose another model; `kimi provider` shows what is set up.',
  },
};

export const kimi: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'kimi',
  program,
  attachments: PICTURES,
  outputFlags,
  openArgs: (sessionId) => ['--session', sessionId],
  capabilities: {
    deltas: true,
    thinking: true,
    approvals: true,
    editInput: false,
    questions: 'as forms',
    interrupt: true,
    followUp: 'after the current turn',
    resume: 'in the directory where it began',
    continueLast: true,
    fork: true,
    resumeAt: false,
    sessionId: false,
    model: 'by its name in the configuration of Kimi',
    addDirs: true,
    allowedTools: false,
    mcpConfig: 'inline JSON; not a path',
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: false,
    usage: false,
  },
  cannot: inlineServersOnly,
  detect,
  command,
  createProtocol(request) {
    if (request?.mode !== undefined) return createAcpProtocol(request, acp);
    return createByFirstValue((value) =>
      isObject(value) && 'jsonrpc' in value ? createAcpProtocol({}, acp) : createStreamProtocol(),
    );
  },
  presence: trace.presence,
  transcripts,
};
