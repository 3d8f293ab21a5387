/** The Chat Completions API, streamed, as far as agents use it. */
import type { ServerResponse } from 'node:http';
import { type ModelServer, pieces, sendJson, startEventStream, startServer } from './http.js';
import type { ModelTurn, Script } from './turn.js';

const USAGE = {
  prompt_tokens: 1200,
  completion_tokens: 45,
  total_tokens: 1245,
  prompt_tokens_details: { cached_tokens: 300 },
};

export async function startOpenAiChat(script: Script): Promise<ModelServer> {
  const calls: unknown[] = [];
  let answered = 0;
  return startServer(async ({ method, path, body }, response) => {
    if (method === 'GET' && path.includes('/models')) {
      return sendJson(response, 200, { object: 'list', data: [{ id: 'stub-model', object: 'model' }] });
    }
    if (method !== 'POST' || !path.includes('/chat/completions')) return sendJson(response, 404, {});
    const messages = Array.isArray(body.messages) ? body.messages : [];
    // Titles, summaries and memories are asked for with few tools or none; they are not part of the script.
    const isMain = Array.isArray(body.tools) && body.tools.length > 3;
    if (!isMain) return sendAnswer(response, body, { text: 'side answer' }, -1);
    calls.push(body);
    const n = answered++;
    const afterTool = (messages.at(-1) as { role?: string } | undefined)?.role === 'tool';
    return sendAnswer(response, body, script({ n, body, text: JSON.stringify(messages), afterTool }), n);
  }, calls);
}

async function sendAnswer(
  response: ServerResponse,
  body: Record<string, unknown>,
  turn: ModelTurn,
  n: number,
): Promise<void> {
  if (turn.status !== undefined) {
    return sendJson(response, turn.status, {
      error: { message: turn.message ?? 'scripted failure', type: 'api_error' },
    });
  }
  const id = `chatcmpl-${n + 1}`;
  const tools = (turn.tools ?? []).map((tool, at) => ({
    id: tool.id ?? `call_${n + 1}_${at}`,
    type: 'function',
    function: { name: tool.name, arguments: tool.written ?? JSON.stringify(tool.input) },
  }));
  const finish_reason = turn.tooLong ? 'length' : tools.length > 0 ? 'tool_calls' : 'stop';
  if (body.stream !== true) {
    await turn.hold;
    const message = { role: 'assistant', content: turn.text ?? '', ...(tools.length > 0 && { tool_calls: tools }) };
    return sendJson(response, 200, {
      id,
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message, finish_reason }],
      usage: USAGE,
    });
  }
  startEventStream(response);
  const send = (delta: object, more: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: null, ...more }];
    response.write(
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: body.model, choices })}\n\n`,
    );
  };
  send({ role: 'assistant', content: '' });
  for (const piece of turn.thinking === undefined ? [] : pieces(turn.thinking)) send({ reasoning_content: piece });
  for (const [at, piece] of (turn.text === undefined ? [] : pieces(turn.text)).entries()) {
    send({ content: piece });
    if (at === 0 && turn.hold) await turn.hold;
    if (turn.cut) return void response.destroy();
  }
  for (const [index, tool] of tools.entries()) {
    send({ tool_calls: [{ index, ...tool, function: { name: tool.function.name, arguments: '' } }] });
    for (const piece of pieces(tool.function.arguments))
      send({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  send({}, { finish_reason });
  response.write(
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: body.model, choices: [], usage: USAGE })}\n\n`,
  );
  response.end('data: [DONE]\n\n');
}
