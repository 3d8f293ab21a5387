/** Did the agent say that it is done? Pure functions over the whole output of a run. */
import { refuseUnknown } from '../../event/option.js';

export interface Extracted {
  result: string;
  found: boolean;
}

export interface CompletionOptions {
  /** `exact` unless told; `suffix` because agents like to add prose before the word. */
  match?: 'exact' | 'suffix';
}

/** The `result` of the last line that is a result object; looks from the end, so a long output costs little. */
export function extractFromJson(output: string): Extracted {
  for (let end = output.length; end > 0; ) {
    const start = output.lastIndexOf('\n', end - 1) + 1;
    const found = resultOf(output.slice(start, end).trim());
    if (found !== undefined) return { result: found, found: true };
    end = start - 1;
  }
  return { result: '', found: false };
}

/** A JSON result that does not match is an answer too: the `<response>` tag counts only where there is none. */
export function isComplete(output: string, expected: string, options: CompletionOptions = {}): boolean {
  refuseUnknown('isComplete', options, { match: true });
  const { match = 'exact' } = options;
  const { result, found } = extractFromJson(output);
  const answer = found ? result : taggedResponse(output);
  if (answer === undefined) return false;
  const said = answer.trim().toLowerCase();
  const wanted = expected.trim().toLowerCase();
  // Every text ends with nothing, so nothing can only match exactly.
  return match === 'suffix' && wanted !== '' ? said.endsWith(wanted) : said === wanted;
}

function resultOf(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: { type?: unknown; result?: unknown } = JSON.parse(line);
    if (value.type !== 'result') return undefined;
    return typeof value.result === 'string' ? value.result : '';
  } catch {
    return undefined;
  }
}

/** Any case, over several lines, the first one. Two searches, because one pattern for both ends is quadratic. */
function taggedResponse(output: string): string | undefined {
  const open = /<response>/i.exec(output);
  if (!open) return undefined;
  const close = /<\/response>/gi;
  close.lastIndex = open.index + open[0].length;
  const end = close.exec(output);
  return end ? output.slice(open.index + open[0].length, end.index) : undefined;
}
