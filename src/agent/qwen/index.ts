/** Qwen Code behind the agent contract. */
import type { Agent } from '../agent.js';
import { isObject, object, string } from '../field.js';
import { command, outputFlags, program } from './command.js';
import { createProtocol } from './protocol.js';

export const qwen: Agent = {
  name: 'qwen',
  title: 'Qwen Code',
  kind: 'qwen_code',
  program,
  outputFlags,
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
  detect: (values) => Math.max(0, ...values.flat().map(sureness)),
  command,
  createProtocol,
};

function sureness(line: unknown): number {
  if (!isObject(line)) return 0;
  if (typeof line.qwen_code_version === 'string') return 1;
  if (line.type === 'stream_event' && object(line.event)?.type === 'goal_state') return 0.9;
  // A run that could not begin prints its result only; the object is what tells it from others.
  if (line.type === 'result' && 'permission_denials' in line && string(object(line.error)?.message)) return 0.7;
  const answer = object(object(line.response)?.response);
  return line.type === 'control_response' && object(answer?.capabilities)?.can_handle_can_use_tool === true ? 0.8 : 0;
}
