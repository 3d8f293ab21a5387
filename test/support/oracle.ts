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

/** `exec --json`: the answer of a turn is its last message. */
function readCodex(values: readonly unknown[]): WireFacts {
  const facts: WireFacts = { turns: [], texts: [], toolIds: [] };
  let answer: string | undefined;
  for (const line of values.filter(isObject)) {
    const item = isObject(line.item) ? line.item : {};
    if (line.type === 'turn.started') answer = undefined;
    if (line.type === 'item.completed' && item.type === 'agent_message') {
      answer = String(item.text);
      if (answer !== '') facts.texts.push(answer);
    }
    if (line.type === 'item.started' && /command_execution|mcp_tool_call/.test(String(item.type))) {
      facts.toolIds.push(String(item.id));
    }
    if (line.type === 'turn.completed' || line.type === 'turn.failed') {
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
