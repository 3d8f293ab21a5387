/** Markdown of an agent as rows of a terminal: what is written stays readable without colour, and nothing of it is a command to the terminal. */
import stringWidth from 'fast-string-width';
import type { Token, Tokens } from 'marked';
import { readMarkdown, WRITTEN } from '../../word/read-markdown.js';
import { safe } from '../text/safe.js';
import { codePieces } from './code-pieces.js';
import { type Look, MEASURE, type Piece, rowsOf } from './styled.js';

export interface RowOptions {
  width: number;
  color: boolean;
}

/** Deeper than this it is drawn as if it were not nested. */
const DEEPEST = 12;

export function markdownRows(text: string, options: RowOptions): string[] {
  return drawBlocks(readMarkdown(safe(text)), options);
}

export function drawBlocks(blocks: readonly Token[], options: RowOptions): string[] {
  return blockRows(blocks, options, 0);
}

export function codeRows(text: string, { width, color }: RowOptions): string[] {
  const rows = text.split('\n').flatMap((line) => rowsOf(codePieces(line), width - 4, color));
  return indented(rows, '    ');
}

function blockRows(tokens: readonly Token[], options: RowOptions, depth: number): string[] {
  const blocks = tokens
    .filter(({ type }) => type !== 'space' && type !== 'def')
    .map((token) => rowsOfBlock(token, options, depth));
  return blocks.flatMap((rows, index) => (index > 0 && rows.length > 0 ? ['', ...rows] : rows));
}

function rowsOfBlock(token: Token, options: RowOptions, depth: number): string[] {
  const { color } = options;
  const width = Math.min(options.width, MEASURE);
  switch (token.type) {
    case 'heading':
      return rowsOf(piecesOf(token.tokens ?? [], ['bold']), width, color);
    case 'code':
      return codeRows(token.text, options);
    case WRITTEN:
      return rowsOf([{ text: token.text, looks: [] }], width, color);
    case 'hr':
      return rowsOf([{ text: '─'.repeat(Math.max(3, Math.min(width, 40))), looks: ['dim'] }], width, color);
    case 'blockquote':
      return depth >= DEEPEST
        ? blockRows(token.tokens ?? [], options, depth + 1)
        : indented(blockRows(token.tokens ?? [], { width: width - 2, color }, depth + 1), '▏ ');
    case 'list':
      return listRows(token as Tokens.List, options, depth);
    case 'table':
      return tableRows(token as Tokens.Table, options);
    default:
      return rowsOf(piecesOf('tokens' in token && token.tokens ? token.tokens : [token], []), width, color);
  }
}

function listRows(
  { items, ordered, start, loose }: Tokens.List,
  { width, color }: RowOptions,
  depth: number,
): string[] {
  const first = Number(start) || 1;
  const blocks = items.map((item, index) => {
    const mark = item.task ? (item.checked ? '☑ ' : '☐ ') : ordered ? `${first + index}. ` : '• ';
    const room = depth >= DEEPEST ? width : width - mark.length;
    const rows = itemRows(item, { width: room, color }, depth + 1);
    return rows.map((row, number) => (number === 0 ? mark : depth >= DEEPEST ? '' : ' '.repeat(mark.length)) + row);
  });
  return blocks.flatMap((rows, index) => (loose && index > 0 ? ['', ...rows] : rows));
}

/** The words of an item stand tight above a list inside it. */
function itemRows({ tokens, loose }: Tokens.ListItem, options: RowOptions, depth: number): string[] {
  if (loose)
    return blockRows(
      tokens.filter(({ type }) => type !== 'checkbox'),
      options,
      depth,
    );
  return tokens
    .filter(({ type }) => type !== 'space' && type !== 'checkbox')
    .flatMap((token) => rowsOfBlock(token, options, depth));
}

/** Drawn as a table where it fits, else row by row with the names of the columns. */
function tableRows({ header, rows, align }: Tokens.Table, { width, color }: RowOptions): string[] {
  const cells = [header, ...rows].map((row, index) =>
    row.map(({ tokens }) => piecesOf(tokens, index === 0 ? ['bold'] : [])),
  );
  const widths = header.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? []))));
  const total = widths.reduce((sum, one) => sum + one + 3, -3);
  if (total > width) return narrowTable(cells, { width, color });
  const lines = cells.map((row) =>
    joined(
      row.map((cell, column) => padded(cell, widths[column] ?? 0, align[column])),
      ' │ ',
    ),
  );
  const rule: Piece[] = [{ text: widths.map((one) => '─'.repeat(one)).join('─┼─'), looks: ['dim'] }];
  return [lines[0] ?? [], rule, ...lines.slice(1)].flatMap((line) => rowsOf(line, width, color));
}

function narrowTable([names = [], ...rows]: Piece[][][], { width, color }: RowOptions): string[] {
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...row.flatMap((cell, column) =>
      rowsOf([...(names[column] ?? []), { text: ': ', looks: [] }, ...cell], width, color),
    ),
  ]);
}

const widthOf = (pieces: readonly Piece[]): number => stringWidth(pieces.map(({ text }) => text).join(''));

function padded(pieces: readonly Piece[], width: number, align: Tokens.Table['align'][number] = null): Piece[] {
  const room = Math.max(0, width - widthOf(pieces));
  const left = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0;
  return [{ text: ' '.repeat(left), looks: [] }, ...pieces, { text: ' '.repeat(room - left), looks: [] }];
}

const joined = (cells: readonly Piece[][], between: string): Piece[] =>
  cells.flatMap((cell, index) => (index > 0 ? [{ text: between, looks: ['dim'] as Look[] }, ...cell] : cell));

const indented = (rows: readonly string[], by: string): string[] =>
  rows.map((row) => (row === '' ? by.trimEnd() : by + row));

function piecesOf(tokens: readonly Token[], looks: readonly Look[]): Piece[] {
  return tokens.flatMap((token) => pieceOf(token, looks));
}

function pieceOf(token: Token, looks: readonly Look[]): Piece[] {
  switch (token.type) {
    case 'strong':
      return piecesOf(token.tokens ?? [], [...looks, 'bold']);
    case 'em':
      return piecesOf(token.tokens ?? [], [...looks, 'italic']);
    case 'del':
      return piecesOf(token.tokens ?? [], [...looks, 'strike']);
    case 'codespan':
      return [{ text: token.text, looks: [...looks, 'accent'] }];
    case 'br':
      return [{ text: '\n', looks }];
    case 'link':
      return linkPieces(token as Tokens.Link, looks);
    case 'image':
      return [{ text: `[${token.text || 'picture'}]`, looks: [...looks, 'dim'] }];
    case 'text':
      return token.tokens ? piecesOf(token.tokens, looks) : [{ text: token.text, looks }];
    case 'escape':
      return [{ text: token.text, looks }];
    default:
      return [{ text: token.raw ?? '', looks }];
  }
}

/** Where a link leads is written out: its words may say something else. */
function linkPieces({ href, text, tokens }: Tokens.Link, looks: readonly Look[]): Piece[] {
  const words = piecesOf(tokens ?? [], [...looks, 'underline']);
  if (text === href || `mailto:${text}` === href) return words;
  return [...words, { text: ` (${href})`, looks: [...looks, 'dim'] }];
}
