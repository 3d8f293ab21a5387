/** Lines as the agent that the fake one stands for would print them, and the steps to play them. */

export type Step = Record<string, unknown>;

/** The id in all of them: who has several sessions in one store tells them apart by `inSession`. */
export const SESSION = '11111111-2222-4333-8444-555555555555';

export const init = (facts: Record<string, unknown> = {}): Step =>
  say({ type: 'system', subtype: 'init', session_id: SESSION, model: 'fake', tools: [], ...facts });

/** The same lines as another session would print them. */
export const inSession = (id: string, steps: readonly Step[]): Step[] =>
  JSON.parse(JSON.stringify(steps).replaceAll(SESSION, id));

export const text = (words: string, id = 'msg_1'): Step => say(assistant(id, [{ type: 'text', text: words }]));

export const toolUse = (id: string, name: string, input: unknown): Step =>
  say(assistant(`msg_${id}`, [{ type: 'tool_use', id, name, input }]));

export const toolResult = (id: string, content: string, isError = false, facts: Record<string, unknown> = {}): Step =>
  say({
    type: 'user',
    session_id: SESSION,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
    ...facts,
  });

export const ask = (requestId: string, toolId: string, name: string, input: unknown, suggestions?: unknown[]): Step =>
  say({
    type: 'control_request',
    request_id: requestId,
    request: {
      subtype: 'can_use_tool',
      tool_name: name,
      input,
      tool_use_id: toolId,
      ...(suggestions && { permission_suggestions: suggestions }),
    },
  });

export const result = (words: string, facts: Record<string, unknown> = {}): Step =>
  say({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: words,
    session_id: SESSION,
    num_turns: 1,
    duration_ms: 5,
    total_cost_usd: 0.01,
    usage: { input_tokens: 10, output_tokens: 5 },
    ...facts,
  });

export const failure = (words: string): Step =>
  result(words, { is_error: true, terminal_reason: 'api_error', api_error_status: 401 });

export const interruptedLine = () => ({
  type: 'result',
  subtype: 'error_during_execution',
  is_error: true,
  terminal_reason: 'aborted_tools',
  errors: ['[ede_diagnostic] interrupted'],
  session_id: SESSION,
  total_cost_usd: 0.01,
});

export const interruptedResult = (): Step => say(interruptedLine());

/** The beginning of a message that streams; the whole block repeats it, under the same id. */
export const streamStart = (id = 'msg_1'): Step[] => [
  streamEvent({
    type: 'message_start',
    message: { id, type: 'message', role: 'assistant', model: 'fake', content: [] },
  }),
  streamEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
];

export const delta = (words: string): Step =>
  streamEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } });

export const taskStart = (id: string): Step =>
  say({
    type: 'system',
    subtype: 'task_started',
    session_id: SESSION,
    task_id: id,
    task_type: 'local_bash',
    description: 'in the background',
    is_backgrounded: true,
  });

export const taskEnd = (id: string): Step =>
  say({
    type: 'system',
    subtype: 'task_notification',
    session_id: SESSION,
    task_id: id,
    status: 'completed',
    summary: 'ok',
  });

/** What an agent prints that says these things, for readers without a process. */
export const printed = (...steps: readonly Step[]): string =>
  steps.map((step) => `${JSON.stringify(step.say)}\n`).join('');

/** A whole turn in one go. */
export const answer = (words: string): Step[] => [init(), text(words), result(words)];

export function say(line: unknown, how: { times?: number; cut?: number; eol?: string } = {}): Step {
  return { say: line, ...how };
}

function streamEvent(event: unknown): Step {
  return say({ type: 'stream_event', session_id: SESSION, parent_tool_use_id: null, event });
}

function assistant(id: string, content: unknown[]) {
  return {
    type: 'assistant',
    session_id: SESSION,
    parent_tool_use_id: null,
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content,
      stop_reason: null,
      usage: { input_tokens: 10, output_tokens: 1 },
    },
  };
}
