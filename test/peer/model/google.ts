/** The Gemini API, streamed, as far as the CLI uses it. */
import { type ModelServer, pieces, sendJson, startEventStream, startServer } from './http.js';
import type { ModelTurn, Script } from './turn.js';

const usageMetadata = {
  promptTokenCount: 1200,
  candidatesTokenCount: 45,
  totalTokenCount: 1245,
  cachedContentTokenCount: 300,
};

export async function startGoogle(script: Script): Promise<ModelServer> {
  const calls: unknown[] = [];
  let answered = 0;
  return startServer(async ({ path, body }, response) => {
    const [, model = '', method = ''] = /models\/([^:]+):(\w+)/.exec(path) ?? [];
    if (method === 'countTokens') return sendJson(response, 200, { totalTokens: 1234 });
    if (!method.includes('enerateContent'))
      return sendJson(response, 404, { error: { code: 404, message: 'no such route' } });
    const tools = (Array.isArray(body.tools) ? body.tools : []) as { functionDeclarations?: unknown[] }[];
    const offered = tools.flatMap((tool) => tool.functionDeclarations ?? []);
    // Routing, next-speaker and summary questions offer few tools; they want JSON of their own shape.
    if (offered.length <= 3) return answerWith({ text: JSON.stringify(sideAnswer(body)) }, -1);
    calls.push(body);
    const contents = Array.isArray(body.contents) ? body.contents : [];
    const n = answered++;
    const afterTool = JSON.stringify(contents.at(-1) ?? '').includes('functionResponse');
    return answerWith(script({ n, body, text: JSON.stringify(contents), afterTool }), n);

    async function answerWith(turn: ModelTurn, number: number): Promise<void> {
      if (turn.status !== undefined) {
        const error = { code: turn.status, message: turn.message ?? 'scripted failure', status: 'INTERNAL' };
        return sendJson(response, turn.status, { error });
      }
      const calls = (turn.tools ?? []).map((tool, at) => ({
        functionCall: { id: tool.id ?? `call_${number}_${at}`, name: tool.name, args: tool.input },
      }));
      const meta = { modelVersion: model, responseId: `resp_${number}` };
      const candidate = (parts: object[], finishReason?: string) => ({
        candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
        ...meta,
      });
      if (method === 'generateContent') {
        await turn.hold;
        const parts = [...(turn.text === undefined ? [] : [{ text: turn.text }]), ...calls];
        return sendJson(response, 200, { ...candidate(parts, 'STOP'), usageMetadata });
      }
      startEventStream(response);
      const send = (value: object): void => void response.write(`data: ${JSON.stringify(value)}\r\n\r\n`);
      if (turn.thinking !== undefined) send(candidate([{ text: turn.thinking, thought: true }]));
      for (const [at, text] of (turn.text === undefined ? [] : pieces(turn.text)).entries()) {
        send(candidate([{ text }]));
        if (at === 0 && turn.hold) await turn.hold;
        if (turn.cut) return void response.destroy();
      }
      for (const call of calls) send(candidate([call]));
      send({ ...candidate([{ text: '' }], turn.tooLong ? 'MAX_TOKENS' : 'STOP'), usageMetadata });
      response.end();
    }
  }, calls);
}

function sideAnswer(body: Record<string, unknown>): object {
  const config = (body.generationConfig ?? {}) as Record<string, { properties?: Record<string, { type?: string }> }>;
  const properties = config.responseJsonSchema?.properties ?? config.responseSchema?.properties ?? {};
  if (properties.model_choice) return { reasoning: 'simple', model_choice: 'flash' };
  if (properties.complexity_score) return { complexity_reasoning: 'simple', complexity_score: 20 };
  if (properties.next_speaker) return { reasoning: 'done', next_speaker: 'user' };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, /number/i.test(type ?? '') ? 0 : 'x']),
  );
}
