/** Factory Droid behind the agent contract. */
import type { Agent } from '../agent.js';
import { createByFirstValue } from '../dialect.js';
import { isObject, members } from '../field.js';
import { command, outputFlags, program, usesRpc } from './command.js';
import { createExecProtocol } from './exec.js';
import { createRpcProtocol } from './rpc.js';

export const droid: Agent = {
  name: 'droid',
  title: 'Factory Droid',
  kind: 'droid',
  program,
  outputFlags,
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
  detect: (values) => Math.max(0, ...values.map(certainty)),
  command,
  createProtocol(request) {
    if (request?.mode === undefined) {
      return createByFirstValue((value) => (isRpc(value) ? createRpcProtocol({}) : createExecProtocol({})));
    }
    return usesRpc(request) ? createRpcProtocol(request) : createExecProtocol(request);
  },
};

function certainty(line: unknown): number {
  if (!isObject(line)) return 0;
  if (isRpc(line)) return 1;
  const { type, subtype, role, session_id: session, timestamp } = line;
  if (typeof session !== 'string') return 0;
  if (type === 'system' && subtype === 'init')
    return 'reasoning_effort' in line && 'model' in line && !('mcp_servers' in line) ? 0.95 : 0;
  if (type === 'completion') return 'finalText' in line ? 0.95 : 0;
  if (typeof timestamp !== 'number') return 0;
  if (type === 'message') return typeof role === 'string' && typeof line.text === 'string' ? 0.8 : 0;
  return type === 'tool_call' && 'toolId' in line ? 0.8 : 0;
}

const isRpc = (value: unknown): boolean => 'factoryApiVersion' in members(value);
