/**
 * Oracles: what an agent's raw lines say, read a second time in the plainest way and without our translator, so that
 * a test can compare. Each is deliberately small: only what the wire says in so many words.
 */
export interface WireFacts {
  /** One entry per line that ends a turn, in the order of the wire. */
  turns: { text?: string; usd?: number }[];
  /** Whole texts that the agent said and did not take back. */
  texts: string[];
  /** Ids of the tool calls that have a card of their own. */
  toolIds: string[];
}

export const oracles: Record<string, (lines: readonly unknown[]) => WireFacts> = { claude: readClaude };

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

/** Plan mode and questions are shown as what they are, not as tool cards. */
const notCards = new Set(['EnterPlanMode', 'ExitPlanMode', 'AskUserQuestion']);

function isObject(value: unknown): value is Line {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
