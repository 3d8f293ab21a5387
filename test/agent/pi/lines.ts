/** pi's lines in few words. */
import { pi } from '../../../src/agent/pi/index.js';
import { draftsOf } from '../drive.js';

const session = { type: 'session', version: 3, id: 's1', cwd: '/repo' };
export const begin = [{ type: 'agent_start' }, { type: 'turn_start' }];
const usage = { input: 10, output: 2, cacheRead: 5, cacheWrite: 0, cost: { total: 0.001 } };
const none = { input: 0, output: 0, cost: { total: 0 } };
export const assistant = (content: object[], more: object = {}) => ({
  role: 'assistant',
  model: 'm',
  content,
  usage,
  stopReason: 'stop',
  ...more,
});
export const said = (message: object) => [
  { type: 'message_start', message },
  { type: 'message_end', message },
];
export const text = (words: string) => assistant([{ type: 'text', text: words }]);
export const failure = (errorMessage: string) => assistant([], { stopReason: 'error', usage: none, errorMessage });
export const end = { type: 'agent_end', messages: [] };

export const read = (...values: unknown[]) => draftsOf(pi, [session, ...begin, ...values]);
export const toolRun = (result: object, isError = false, name = 'bash', args: object = { command: 'x' }) =>
  read(
    { type: 'tool_execution_start', toolCallId: 't1', toolName: name, args },
    { type: 'tool_execution_end', toolCallId: 't1', toolName: name, result, isError },
  );
export const content = (words: string) => ({ content: [{ type: 'text', text: words }] });
