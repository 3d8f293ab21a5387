/** The Messages API, streamed, as far as agents use it. */
import type { ServerResponse } from 'node:http';
import { type Answer, type ModelServer, pieces, sendJson, startEventStream, startServer } from './http.js';
import type { ModelTurn, Script } from './turn.js';

export function startAnthropic(script: Script): Promise<ModelServer> {
  const calls: unknown[] = [];
  return startServer(answerMessages(script, calls), calls);
}

/** For servers that pass this API on. */
export function answerMessages(script: Script, calls: unknown[]): Answer {
  let answered = 0;
  return async ({ method, path, body }, response) => {
    if (method !== 'POST' || !path.includes('/v1/messages')) return sendJson(response, 404, {});
    if (path.includes('count_tokens')) return sendJson(response, 200, { input_tokens: 100 });
    const messages = Array.isArray(body.messages) ? body.messages : [];
    // Side requests (titles, probes) offer few tools or none; they are not part of the script.
    const isMain = Array.isArray(body.tools) && body.tools.length > 3;
    if (!isMain) return sendMessage(response, body, { text: 'ok' }, -1);
    calls.push(body);
    const text = JSON.stringify(messages);
    const afterTool = JSON.stringify(messages.at(-1) ?? '').includes('"tool_result"');
    const n = answered++;
    return sendMessage(response, body, script({ n, body, text, afterTool }), n);
  };
}

const USAGE = { input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 3000, output_tokens: 1 };

async function sendMessage(
  response: ServerResponse,
  body: Record<string, unknown>,
  turn: ModelTurn,
  n: number,
): Promise<void> {
  if (turn.status !== undefined) {
    const error = { type: ERRORS[turn.status] ?? 'api_error', message: turn.message ?? 'scripted failure' };
    return sendJson(response, turn.status, { type: 'error', error }, turn.headers);
  }
  const id = `msg_${String(n + 1).padStart(4, '0')}`;
  const content = blocksOf(turn, n);
  const stop_reason = turn.tooLong ? 'max_tokens' : turn.tools?.length ? 'tool_use' : 'end_turn';
  const usage = { ...USAGE, output_tokens: 10, ...turn.usage };
  const message = { id, type: 'message', role: 'assistant', model: body.model, stop_sequence: null };
  if (body.stream !== true) {
    await turn.hold;
    return sendJson(response, 200, { ...message, content, stop_reason, usage });
  }

  startEventStream(response);
  const send = (event: { type: string } & Record<string, unknown>): void => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  send({
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  });
  for (const [index, block] of content.entries()) {
    send({ type: 'content_block_start', index, content_block: block.empty });
    for (const [at, delta] of block.deltas.entries()) {
      send({ type: 'content_block_delta', index, delta });
      if (at === 0 && turn.hold && block.empty.type === 'text') await turn.hold;
      if (turn.cut && block.empty.type === 'text') return void response.destroy();
    }
    send({ type: 'content_block_stop', index });
  }
  send({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
  send({ type: 'message_stop' });
  response.end();
}

const ERRORS: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

interface Block {
  empty: { type: string } & Record<string, unknown>;
  deltas: Record<string, unknown>[];
}

function blocksOf(turn: ModelTurn, n: number): Block[] {
  const blocks: Block[] = [];
  if (turn.thinking !== undefined) {
    const deltas = pieces(turn.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
    blocks.push({
      empty: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...deltas, { type: 'signature_delta', signature: 'c2ln' }],
    });
  }
  if (turn.text !== undefined) {
    const deltas = pieces(turn.text).map((text) => ({ type: 'text_delta', text }));
    blocks.push({ empty: { type: 'text', text: '' }, deltas });
  }
  for (const [at, tool] of (turn.tools ?? []).entries()) {
    const id = tool.id ?? `toolu_${n + 1}_${at}`;
    const deltas = pieces(tool.written ?? JSON.stringify(tool.input)).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }));
    blocks.push({ empty: { type: 'tool_use', id, name: tool.name, input: {} }, deltas });
  }
  return blocks;
}
