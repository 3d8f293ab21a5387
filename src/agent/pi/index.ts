/** pi behind the agent contract. */
import type { Agent } from '../agent.js';
import { members, string } from '../field.js';
import { command, outputFlags, program } from './command.js';
import { createProtocol } from './protocol.js';

export const pi: Agent = {
  name: 'pi',
  title: 'pi',
  kind: 'pi',
  program,
  outputFlags,
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
  detect: (values) => Math.max(0, ...values.map(certainty)),
  command,
  createProtocol,
};

function certainty(value: unknown): number {
  const { type, version, id, cwd, command: name, success, message, assistantMessageEvent } = members(value);
  if (type === 'session')
    return typeof version === 'number' && typeof id === 'string' && typeof cwd === 'string' ? 1 : 0;
  if (type === 'response') return typeof name === 'string' && typeof success === 'boolean' ? 0.8 : 0;
  if (type === 'message_update') return members(assistantMessageEvent).type === undefined ? 0 : 0.9;
  if (type === 'message_start' || type === 'message_end') return string(members(message).role) === undefined ? 0 : 0.7;
  return type === 'agent_start' || type === 'turn_start' ? 0.3 : 0;
}
