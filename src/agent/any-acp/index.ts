/** Any agent that speaks the Agent Client Protocol: the user names the program and its arguments, the protocol does the rest. */
import { createAcpProtocol } from '../acp/protocol.js';
import type { Agent } from '../agent.js';
import { BIN_DIRS } from '../argument.js';
import { PICTURES } from '../attachment.js';
import { inlineServersOnly } from '../mcp-config.js';
import { detect } from './detect.js';
import { trace } from './trace.js';

export const anyAcp: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'acp',
  program: {
    names: trace.programs,
    install: {
      instead:
        'Name the program of an agent that speaks the protocol, with --program and --arg or as agents.acp in your configuration.',
    },
    searchDirs: BIN_DIRS,
    versionArgs: ['--version'],
    dropEnv: [],
    reservedFlags: [],
  },
  outputFlags: [],
  attachments: PICTURES,
  capabilities: {
    deltas: true,
    thinking: true,
    approvals: 'if the agent asks',
    editInput: false,
    questions: 'forms, if the agent asks',
    interrupt: true,
    followUp: 'after the current turn',
    resume: 'if the agent can',
    continueLast: 'if the agent can list its sessions',
    fork: 'if the agent can',
    resumeAt: false,
    sessionId: false,
    model: 'if the agent lets it be chosen',
    addDirs: 'if the agent can',
    allowedTools: false,
    mcpConfig: 'inline JSON; not a path',
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: 'if the agent tells it',
    usage: 'if the agent tells it',
  },
  cannot: inlineServersOnly,
  detect,
  command: ({ extraArgs = [] }) => ({
    program: 'acp-agent',
    args: [...extraArgs],
    stdin: { kind: 'lines' },
    ending: [
      { do: 'interrupt', waitMs: 1500 },
      { do: 'close-stdin', waitMs: 1500 },
      { do: 'signal', signal: 'SIGTERM', waitMs: 1500 },
    ],
  }),
  createProtocol: (request) => createAcpProtocol(request),
};
