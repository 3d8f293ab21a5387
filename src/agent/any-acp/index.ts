/** Any agent that speaks the Agent Client Protocol: the user names the program and its arguments, the protocol does the rest. */
import { createAcpProtocol } from '../acp/protocol.js';
import type { Agent } from '../agent.js';
import { BIN_DIRS } from '../argument.js';
import { members, string } from '../field.js';
import { inlineServersOnly } from '../mcp-config.js';

export const anyAcp: Agent = {
  name: 'acp',
  title: 'an agent by the Agent Client Protocol',
  kind: 'acp',
  program: {
    names: ['acp-agent'],
    install: 'no package: name the program of an agent that speaks the protocol, and its arguments',
    searchDirs: BIN_DIRS,
    versionArgs: ['--version'],
    dropEnv: [],
    reservedFlags: [],
  },
  outputFlags: [],
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
  detect: (values) => Math.max(0, ...values.map(certainty)),
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

/** Less sure than an agent that recognises itself in the handshake. */
function certainty(value: unknown): number {
  const { jsonrpc, method, result, params } = members(value);
  if (jsonrpc !== '2.0') return 0;
  if (members(result).agentCapabilities !== undefined) return 0.6;
  return method === 'session/update' && string(members(members(params).update).sessionUpdate) !== undefined ? 0.5 : 0;
}
