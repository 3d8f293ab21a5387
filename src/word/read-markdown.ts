/**
 * Markdown of an agent, read within bounds and without failing: what costs the reader of Markdown time by the square of its length, or is
 * nested deeper than anybody writes, stays as it is written.
 */
import { Lexer, type Token, walkTokens } from 'marked';

/** The type of a token that stays as it is written. */
export const WRITTEN = 'written';

/** A part that is longer is not read: quotations and lists are read again for each of their levels. */
const MOST_LENGTH = 20_000;

/** Steps of a whole text in its inline parts; where they are used up, the words stay as they are. Less than a tenth of a second. */
const MOST_STEPS = 20_000_000;

/**
 * Tags of a whole text; what comes after them is text. A browser opens again in every paragraph what an earlier one left open, so that
 * 30 kB of tags are a million elements.
 */
const MOST_TAGS = 200;

/** Rows of a table have as many cells as its head, however short they are written: 12 kB are four million. */
const MOST_CELLS = 20_000;

/** Letters of addresses, which references repeat. */
const MOST_ADDRESSES = 400_000;

/** A line that begins with more lists and quotations, one in another, than anybody writes. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){50}/m;

/** Levels of a text that was read, with those of its words. */
const DEEPEST = 100;

interface Budget {
  steps: number;
  tags: number;
  cells: number;
  addresses: number;
}

/** The tokens of a text; what their `raw` say, in order, is the text. */
export function readMarkdown(text: string): Token[] {
  const budget = { steps: MOST_STEPS, tags: MOST_TAGS, cells: MOST_CELLS, addresses: MOST_ADDRESSES };
  return partsOf(text.replace(/\r\n?/g, '\n')).flatMap((part) => readPart(part, budget));
}

function readPart(part: string, budget: Budget): Token[] {
  const asWritten = [{ type: WRITTEN, raw: part, text: part.trimEnd() }];
  const isCode = fenceOf(part) !== undefined;
  if ((part.length > MOST_LENGTH && !isCode) || TOO_DEEP.test(part)) return asWritten;
  const cells = part.length > MOST_LENGTH ? 0 : cellsIn(part);
  if (cells > budget.cells) return asWritten;
  budget.cells -= cells;
  try {
    const lexer = new Lexer({ gfm: true });
    lexer.blockTokens(part, lexer.tokens);
    for (const { src, tokens } of lexer.inlineQueue) {
      const steps = stepsFor(src);
      if (steps > budget.steps) tokens.push({ type: 'text', raw: src, text: src, escaped: false });
      else lexer.inlineTokens(src, tokens);
      budget.steps -= Math.min(steps, budget.steps);
    }
    if (isDeep(lexer.tokens)) return asWritten;
    void walkTokens(lexer.tokens, (token) => tame(token, budget));
    return lexer.tokens;
  } catch {
    return asWritten;
  }
}

/** Each sign may be looked up to the end of its block, and each letter of a word to the end of the word. */
function stepsFor(words: string): number {
  const signs = words.length - words.replace(/[!-/:-@[-`{-~]/g, '').length;
  return words.split(/\s/).reduce((sum, word) => sum + word.length ** 2, signs * words.length);
}

/** At most as many as there may be: the widest line of signs may be the rule below a head, and every line a row. */
function cellsIn(part: string): number {
  const lines = part.split('\n');
  const rules = lines.filter((line) => line.includes('-') && line.includes('|') && !/[\p{L}\p{N}]/u.test(line));
  return lines.length * rules.reduce((most, line) => Math.max(most, line.split('|').length), 0);
}

/** What comes to more in a browser, or on a screen, than it is in the text. */
function tame(token: Token, budget: Budget): void {
  if (token.type === 'html') budget.tags -= token.raw.split('<').length - 1;
  else if (token.type === 'link' || token.type === 'image') budget.addresses -= token.href.length;
  else return;
  if (budget.tags < 0 || budget.addresses < 0)
    Object.assign(token, { type: 'text', text: token.raw, escaped: false, tokens: undefined });
}

function isDeep(tokens: readonly Token[]): boolean {
  let level: readonly Token[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((token) => ('items' in token ? token.items : 'tokens' in token ? (token.tokens ?? []) : []));
  }
  return false;
}

/** A text that is too long is cut at empty lines and around blocks of code, as rarely as possible. */
function partsOf(text: string): string[] {
  if (text.length <= MOST_LENGTH) return [text];
  const parts: string[] = [];
  let part = '';
  for (const piece of piecesOf(text)) {
    if (part !== '' && part.length + piece.length > MOST_LENGTH) {
      parts.push(part);
      part = '';
    }
    part += piece;
  }
  return [...parts, part];
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const cut = () => {
    if (lines.length > 0) pieces.push(lines.join(''));
    lines = [];
  };
  for (const line of text.split(/(?<=\n)/)) {
    const mark = fenceOf(line);
    if (fence === undefined && mark !== undefined) cut();
    lines.push(line);
    if (fence === undefined) {
      fence = mark;
      if (line.trim() === '') cut();
    } else if (/^ {0,3}(`+|~+) *\n?$/.exec(line)?.[1]?.startsWith(fence)) {
      fence = undefined;
      cut();
    }
  }
  cut();
  return pieces;
}

/** What opens a block of code here. */
function fenceOf(line: string): string | undefined {
  return /^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/.exec(line)?.[1];
}
