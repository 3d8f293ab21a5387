/**
 * Oracles: what an agent's raw lines say, read a second time in the plainest way and without our translator, so that
 * a test can compare. Each is deliberately small: only what the wire says in so many words.
 */
export interface WireFacts {
  /** One entry per line that ends a turn, in the order of the wire. `usd` is what the agent itself says it cost. */
  turns: { text?: string; usd?: number }[];
  /** The wire tells only how the last of several turns ended. */
  onlyLast?: true;
  /** Whole texts that the agent said and did not take back. */
  texts: string[];
  /** Ids of the tool calls that have a card of their own. */
  toolIds: string[];
}

export const oracles: Record<string, (lines: readonly unknown[]) => WireFacts> = {
  claude: readClaude,
  amp: (lines) => ({ ...readClaude(lines), onlyLast: true }),
  codex: readCodex,
  qwen: readClaude,
};

type Line = { [key: string]: unknown };

function readClaude(values: readonly unknown[]): WireFacts {
  // `--output-format json --verbose` prints the same objects as one array.
  const lines = values.flat().filter(isObject);
  const takenBack = new Set(lines.flatMap((line) => [...list(line.supersedes), ...list(line.retracted_message_uuids)]));
  const results = lines.filter(({ type }) => type === 'result');
  const blocks = lines
    .filter(({ type, uuid }) => type === 'assistant' && !takenBack.has(uuid))
    .flatMap(({ message }) => list((message as Line | null)?.content).filter(isObject));
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
  };
}

/** `exec --json` and `app-server` say the same in two spellings; the answer of a turn is the last message of the main thread. */
function readCodex(values: readonly unknown[]): WireFacts {
  const facts: WireFacts = { turns: [], texts: [], toolIds: [] };
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
    if (/^turn\.(completed|failed)$/.test(event) && isMain) {
      facts.turns.push(answer === undefined ? {} : { text: answer });
    }
  }
  return facts;
}

/** Plan mode and questions are shown as what they are, not as tool cards. */
const notCards = new Set(['EnterPlanMode', 'ExitPlanMode', 'AskUserQuestion']);

function isObject(value: unknown): value is Line {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
