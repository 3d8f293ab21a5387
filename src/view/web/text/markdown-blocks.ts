/**
 * Markdown that grows: cut into blocks, of which only the last ones can still change. A block that is finished is the same
 * object as before, so that a delta costs what its block costs, however long the text is.
 */
import { Parser, type Token } from 'marked';
import remend from 'remend';
import { readMarkdown } from '../../../word/read-markdown.js';

export interface MarkdownBlock {
  readonly token: Token;
  /** Stable position in the text. */
  readonly key: number;
}

export interface MarkdownText {
  readonly source: string;
  readonly blocks: readonly MarkdownBlock[];
  /** How many blocks at the beginning cannot change any more, and where they end in the source. */
  readonly settled: number;
  readonly settledLength: number;
}

export const emptyMarkdown: MarkdownText = { source: '', blocks: [], settled: 0, settledLength: 0 };

/** A list or a paragraph may go on after a blank line, so the last two blocks with content stay open. */
const OPEN_BLOCKS = 3;

/** Signs that are not closed yet are closed for as long as this is cheap: brackets cost the mender time by the square of their number. */
const MOST_MENDED = 5_000;

export function growMarkdown(before: MarkdownText, source: string, isComplete: boolean): MarkdownText {
  if (before.source === source && !isComplete) return before;
  const isContinued = source.startsWith(before.source.slice(0, before.settledLength));
  const kept = isContinued ? before : emptyMarkdown;
  const rest = source.slice(kept.settledLength);
  const tokens = readMarkdown(isComplete || rest.length > MOST_MENDED ? rest : remend(rest));
  const open = isComplete ? 0 : OPEN_BLOCKS;
  const blocks = kept.blocks.slice(0, kept.settled);
  let { settled, settledLength } = kept;
  for (const [index, token] of tokens.entries()) {
    blocks.push({ token, key: blocks.length });
    if (index >= tokens.length - open) continue;
    settled = blocks.length;
    settledLength += token.raw.length;
  }
  return { source, blocks, settled, settledLength };
}

const SAMPLE = '# a\n\n**b** `c` [d](https://e)\n\n- f\n\n> g\n\n| h |\n|---|\n| i |\n\n```\nj\n```\n';

/** The first text takes as long as many later ones, because patterns are compiled: better while there is nothing to do yet. */
export function prepareMarkdown(): void {
  Parser.parse(growMarkdown(emptyMarkdown, SAMPLE, true).blocks.map(({ token }) => token));
}
