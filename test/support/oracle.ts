/**
 * Oracles: what an agent's raw lines say, read a second time in the plainest way and without our translator, so that
 * a test can compare. Each is deliberately small: only what the wire says in so many words.
 */
export interface WireFacts {
  /** One entry per line that ends a turn, in the order of the wire. `usd` is what the agent itself says it cost. */
  turns: { text?: string; usd?: number }[];
  /** The wire tells only how the last of several turns ended. */
  onlyLast?: true;
  /** Whole texts that the agent said and did not take back, in order. */
  texts: string[];
  /** Ids of the tool calls that have a card of their own. */
  toolIds: string[];
  /** Results by the id of their call, where the wire has them as plain text. */
  outputs: Record<string, string>;
}

/** Absent where an agent has a second stream that no oracle reads. */
type Oracle = (lines: readonly unknown[]) => WireFacts | undefined;

export const oracles: Record<string, Oracle> = {
  claude: readClaude,
  amp: (lines) => ({ ...readClaude(lines), outputs: {}, onlyLast: true }),
  cline: readCline,
  codex: readCodex,
  copilot: readCopilot,
  droid: readDroid,
  gemini: readGemini,
  kilo: readOpencode,
  opencode: readOpencode,
  pi: readPi,
  qwen: readClaude,
};

type Line = { [key: string]: unknown };

function readClaude(values: readonly unknown[]): WireFacts {
  // `--output-format json --verbose` prints the same objects as one array.
  const lines = values.flat().filter(isObject);
  const takenBack = new Set(lines.flatMap((line) => [...list(line.supersedes), ...list(line.retracted_message_uuids)]));
  const results = lines.filter(({ type }) => type === 'result');
  const blocks = lines
    .filter(({ type, uuid, aborted }) => type === 'assistant' && !takenBack.has(uuid) && aborted !== true)
    .flatMap(contentOf);
  const answers = lines.filter(({ type }) => type === 'user').flatMap(contentOf);
  return {
    turns: results.map(({ result, total_cost_usd: usd }) => ({
      ...(typeof result === 'string' && { text: result }),
      ...(typeof usd === 'number' && { usd }),
    })),
    texts: blocks.flatMap(({ type, text }) =>
      type === 'text' && typeof text === 'string' && text !== '' ? [text] : [],
    ),
    toolIds: blocks
      .filter(({ type, name }) => type === 'tool_use' && !notCards.has(String(name)))
      .map(({ id }) => String(id)),
    outputs: Object.fromEntries(
      answers.flatMap(({ type, tool_use_id: id, content }) =>
        type === 'tool_result' && typeof content === 'string' ? [[String(id), content.replace(FRAME, '$1')]] : [],
      ),
    ),
  };
}

/** Put around some failures for the model. */
const FRAME = /^<tool_use_error>(.*)<\/tool_use_error>$/s;

const contentOf = ({ message }: Line): Line[] => list((message as Line | null)?.content).filter(isObject);

/** `exec --json` and `app-server` say the same in two spellings; the answer of a turn is the last message of the main thread. */
function readCodex(values: readonly unknown[]): WireFacts {
  const facts = noFacts();
  let mainThread: unknown;
  let answer: string | undefined;
  for (const line of values.filter(isObject)) {
    const params = isObject(line.params) ? line.params : line;
    const item = isObject(params.item) ? params.item : {};
    const event = String(line.method ?? line.type).replace('/', '.');
    mainThread ??= params.threadId;
    const isMain = params.threadId === mainThread;
    if (event === 'turn.started' && isMain) answer = undefined;
    if (event === 'item.completed' && /^agent_?message$/i.test(String(item.type)) && item.text !== '') {
      facts.texts.push(String(item.text));
      if (isMain) answer = String(item.text);
    }
    if (event === 'item.started' && /^(command_?execution|mcp_?tool_?call)$/i.test(String(item.type))) {
      facts.toolIds.push(String(item.id));
    }
    const output = item.aggregated_output ?? item.aggregatedOutput;
    if (event === 'item.completed' && typeof output === 'string') facts.outputs[String(item.id)] = output;
    if (/^turn\.(completed|failed)$/.test(event) && isMain) {
      facts.turns.push(answer === undefined ? {} : { text: answer });
    }
  }
  return facts;
}

/** The end of the process is the result: the last text, and what the steps cost together; unless it ends within a step. */
function readOpencode(values: readonly unknown[]): WireFacts | undefined {
  const facts = noFacts();
  const lines = values.filter(isObject);
  if (lines.some((line) => 'jsonrpc' in line)) return undefined;
  let usd: number | undefined;
  for (const { type, part } of lines) {
    const { text, synthetic, callID, state, cost } = isObject(part) ? part : {};
    if (type === 'text' && synthetic !== true && text) facts.texts.push(String(text));
    if (type === 'step_finish' && typeof cost === 'number') usd = (usd ?? 0) + cost;
    if (type !== 'tool_use' || !isObject(state)) continue;
    facts.toolIds.push(String(callID));
    facts.outputs[String(callID)] = String(state.status === 'error' ? state.error : state.output);
  }
  const text = facts.texts.at(-1);
  const isOver = /^(step_finish|error)$/.test(String(lines.at(-1)?.type));
  if (isOver) facts.turns.push({ ...(text !== undefined && { text }), ...(usd !== undefined && { usd }) });
  return { ...facts, onlyLast: true };
}

/** A text is what came between two other lines; the answer is what came after the last tool call. */
function readGemini(values: readonly unknown[]): WireFacts {
  const facts = noFacts();
  let text = '';
  const end = () => {
    if (text !== '') facts.texts.push(text);
    text = '';
  };
  for (const line of values.filter(isObject)) {
    if (line.type === 'message' && line.role === 'assistant') {
      text += line.content;
      continue;
    }
    if (line.type === 'result') facts.turns.push(text === '' ? {} : { text });
    end();
    if (line.type === 'tool_use') facts.toolIds.push(String(line.tool_id));
    if (line.type === 'tool_result' && typeof line.output === 'string')
      facts.outputs[String(line.tool_id)] = line.output;
  }
  return facts;
}

function readCopilot(values: readonly unknown[]): WireFacts {
  const facts = noFacts();
  let answer: string | undefined;
  for (const { type, data, agentId } of values.filter(isObject)) {
    const { content, toolCallId } = isObject(data) ? data : {};
    if (type === 'assistant.message' && content) {
      facts.texts.push(String(content));
      if (agentId === undefined) answer = String(content);
    }
    if (type === 'tool.execution_start') facts.toolIds.push(String(toolCallId));
    if (type === 'result') facts.turns.push(answer === undefined ? {} : { text: answer });
  }
  return { ...facts, onlyLast: true };
}

function readDroid(values: readonly unknown[]): WireFacts | undefined {
  const facts = noFacts();
  const lines = values.filter(isObject);
  if (lines.some((line) => 'jsonrpc' in line)) return undefined;
  for (const { type, role, text, id, finalText } of lines) {
    if (type === 'message' && role === 'assistant' && text) facts.texts.push(String(text));
    if (type === 'tool_call') facts.toolIds.push(String(id));
    if (type === 'completion') facts.turns.push({ text: String(finalText) });
  }
  return { ...facts, onlyLast: true };
}

function readCline(values: readonly unknown[]): WireFacts {
  const facts = noFacts();
  for (const { type, event, finishReason, text: answer } of values.filter(isObject)) {
    const { type: kind, contentType, text, toolCallId } = isObject(event) ? event : {};
    if (kind === 'content_end' && contentType === 'text' && text) facts.texts.push(String(text));
    if (kind === 'content_start' && contentType === 'tool') facts.toolIds.push(String(toolCallId));
    if (type === 'run_result') facts.turns.push(finishReason === 'error' ? {} : { text: String(answer) });
  }
  return { ...facts, onlyLast: true };
}

/** What a message that broke off had said is not whole. */
function readPi(values: readonly unknown[]): WireFacts {
  const facts = noFacts();
  for (const { type, message, toolCallId, result } of values.filter(isObject)) {
    const { role, content, stopReason } = isObject(message) ? message : {};
    if (type === 'message_end' && role === 'assistant' && stopReason !== 'error' && stopReason !== 'aborted') {
      for (const block of list(content).filter(isObject)) {
        if (block.type === 'text' && block.text) facts.texts.push(String(block.text));
        if (block.type === 'toolCall') facts.toolIds.push(String(block.id));
      }
    }
    if (type === 'tool_execution_end' && isObject(result))
      facts.outputs[String(toolCallId)] = list(result.content)
        .filter(isObject)
        .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
        .join('\n');
  }
  return { ...facts, onlyLast: true };
}

const noFacts = (): WireFacts => ({ turns: [], texts: [], toolIds: [], outputs: {} });

/** Plan mode and questions are shown as what they are, not as tool cards. */
const notCards = new Set(['EnterPlanMode', 'ExitPlanMode', 'AskUserQuestion']);

function isObject(value: unknown): value is Line {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
