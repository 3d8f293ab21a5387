/** While it streams, what has a time of its own is a piece; the whole follows without one. The result repeats all texts with nothing between. */
import { count, inside, isObject, joined, type Line, lastOf, noFacts, total, type WireFacts } from './facts.js';

export function readCursor(values: readonly unknown[]): WireFacts {
  const lines = values.filter(isObject);
  const calls = lines.filter(({ type }) => type === 'tool_call');
  const results = lines.filter(({ type }) => type === 'result');
  const begun = calls.filter(({ subtype }) => subtype === 'started');
  const ends = calls.filter(({ subtype }) => subtype === 'completed');
  const spoken = lines.filter(({ type }) => type === 'assistant');
  const isPiece = ({ timestamp_ms: at, model_call_id: call }: Line) => at !== undefined && call === undefined;
  const said = spoken.filter((line) => !isPiece(line)).map(({ message }) => joined(inside(message).content));
  const isBad = (line: Line) =>
    bodyOf(line).some(
      ({ result }) => isObject(result) && (!result.success || count(inside(result.success).exitCode) !== 0),
    );
  return {
    ...noFacts(),
    turns: results.map(() => (said.length > 0 ? { text: said.at(-1) ?? '' } : {})),
    texts: said,
    thoughts: [
      lines
        .filter(({ type, subtype }) => type === 'thinking' && subtype === 'delta')
        .map(({ text }) => text)
        .join(''),
    ].filter((text) => text !== ''),
    toolIds: begun.map(idOf),
    inputs: begun.flatMap((line) =>
      bodyOf(line).flatMap(({ args }): [string, unknown][] => (args ? [[idOf(line), args]] : [])),
    ),
    outputs: ends.flatMap((line) =>
      bodyOf(line).flatMap(({ result }): [string, string][] => {
        const { stdout, content } = inside(inside(result).success);
        const words = stdout ?? content;
        return typeof words === 'string' ? [[idOf(line), words]] : [];
      }),
    ),
    failed: ends.filter(isBad).map(idOf),
    fine: ends.filter((line) => !isBad(line)).map(idOf),
    exits: ends.flatMap((line) =>
      bodyOf(line).flatMap(({ result }) => {
        const { exitCode } = inside(inside(result).success);
        return typeof exitCode === 'number' ? [`${idOf(line)} ${exitCode}`] : [];
      }),
    ),
    files: ends
      .filter(({ tool_call }) => 'writeToolCall' in inside(tool_call))
      .flatMap((line) => bodyOf(line).map(({ args }) => String(inside(args).path))),
    denied: ends.filter((line) => bodyOf(line).some(({ result }) => 'rejected' in inside(result))).map(idOf),
    ...lastOf(lines, 'session_id'),
    onlyLast: true,
    outcomes: results.map(({ is_error }) => (is_error === true ? 'failed' : 'success')),
    tokens: total(
      results.map(({ usage }) => usage),
      { input: 'inputTokens', output: 'outputTokens', cacheRead: 'cacheReadTokens', cacheWrite: 'cacheWriteTokens' },
    ),
  };
}

const bodyOf = ({ tool_call: call }: Line): Line[] => Object.values(inside(call)).filter(isObject);

const idOf = ({ call_id: id }: Line): string => String(id);
