/** The Responses API, streamed, as far as agents use it. */
import type { ServerResponse } from 'node:http';
import { type ModelServer, pieces, sendJson, startEventStream, startServer } from './http.js';
import type { ModelTurn, Script } from './turn.js';

const USAGE = {
  input_tokens: 1200,
  input_tokens_details: { cached_tokens: 300 },
  output_tokens: 45,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 1245,
};

export async function startOpenAiResponses(script: Script, headers: Record<string, string> = {}): Promise<ModelServer> {
  const calls: unknown[] = [];
  let answered = 0;
  return startServer(async ({ method, path, body }, response) => {
    if (method === 'GET' && path.includes('/models'))
      return sendJson(response, 200, { object: 'list', data: [], models: [] });
    if (method !== 'POST' || !path.endsWith('/responses')) return sendJson(response, 404, {});
    calls.push(body);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const input = Array.isArray(body.input) ? body.input : [];
    const last = JSON.stringify(input.at(-1) ?? '');
    const n = answered++;
    return sendAnswer(
      response,
      script({ n, body, text: JSON.stringify(input), afterTool: last.includes('_output') }),
      n,
    );
  }, calls);
}

async function sendAnswer(response: ServerResponse, turn: ModelTurn, n: number): Promise<void> {
  if (turn.status !== undefined) {
    return sendJson(response, turn.status, {
      error: { message: turn.message ?? 'scripted failure', type: 'server_error' },
    });
  }
  startEventStream(response);
  let sequence_number = 0;
  const send = (type: string, data: object): void => {
    response.write(
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...data })}\n\n`,
    );
  };
  const base = {
    id: `resp_${n + 1}`,
    object: 'response',
    created_at: 1,
    model: 'stub',
    status: 'in_progress',
    output: [],
  };
  send('response.created', { response: base });
  let output_index = 0;
  if (turn.thinking !== undefined) {
    const item = { id: `rs_${n + 1}`, type: 'reasoning', summary: [], encrypted_content: null };
    const place = { item_id: item.id, output_index, summary_index: 0 };
    send('response.output_item.added', { output_index, item });
    send('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
    for (const delta of pieces(turn.thinking)) send('response.reasoning_summary_text.delta', { ...place, delta });
    const summary = [{ type: 'summary_text', text: turn.thinking }];
    send('response.reasoning_summary_text.done', { ...place, text: turn.thinking });
    send('response.output_item.done', { output_index, item: { ...item, summary } });
    output_index += 1;
  }
  if (turn.text !== undefined) {
    const item = { id: `msg_${n + 1}`, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    const place = { item_id: item.id, output_index, content_index: 0 };
    send('response.output_item.added', { output_index, item });
    send('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } });
    for (const [at, delta] of pieces(turn.text).entries()) {
      send('response.output_text.delta', { ...place, delta });
      if (at === 0 && turn.hold) await turn.hold;
      if (turn.cut) return void response.destroy();
    }
    send('response.output_text.done', { ...place, text: turn.text });
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
    send('response.output_item.done', { output_index, item: { ...item, status: 'completed', content } });
    output_index += 1;
  }
  for (const [at, tool] of (turn.tools ?? []).entries()) {
    const call_id = tool.id ?? `call_${n + 1}_${at}`;
    const freeform = typeof tool.input.freeform === 'string' ? tool.input.freeform : undefined;
    const item =
      freeform === undefined
        ? {
            id: `fc_${n}_${at}`,
            type: 'function_call',
            status: 'completed',
            call_id,
            name: tool.name,
            arguments: tool.written ?? JSON.stringify(tool.input),
          }
        : {
            id: `ctc_${n}_${at}`,
            type: 'custom_tool_call',
            status: 'completed',
            call_id,
            name: tool.name,
            input: freeform,
          };
    send('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } });
    send('response.output_item.done', { output_index, item });
    output_index += 1;
  }
  if (turn.tooLong) {
    const incomplete_details = { reason: 'max_output_tokens' };
    send('response.incomplete', { response: { ...base, status: 'incomplete', incomplete_details, usage: USAGE } });
  } else send('response.completed', { response: { ...base, status: 'completed', usage: USAGE } });
  response.end();
}
