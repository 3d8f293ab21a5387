/** A question as rows of a terminal: what is asked and what one should know, what has to be read, what "always" would mean. */
import type { Consent, DifferencePart, Fact, Part, Row } from '../../consent/index.js';
import { refuseUnknown } from '../../event/option.js';
import { createPaint, type Paint, type Style } from './palette.js';
import { safe } from './safe.js';
import { wrap } from './wrap.js';

export interface ConsentRows {
  head: string[];
  /** The end of the head: what one should know besides. */
  facts: string[];
  /** To be shown to its end before it is allowed. */
  body: string[];
  always: string[];
}

export interface RowOptions {
  width: number;
  color: boolean;
}

/** What a person is to know before deciding, as rows that fit the width. `chosen`: of several scopes of always these are marked, while one chooses. */
export function consentRows(
  { title, facts, parts, always }: Consent,
  options: RowOptions & { chosen?: readonly number[] },
): ConsentRows {
  refuseUnknown('consentRows', options, { width: true, color: true, chosen: true });
  const { width, color, chosen } = options;
  const paint = createPaint(color);
  const nameOf = (index: number): string => {
    if (chosen) return `${chosen.includes(index) ? '☑' : '☐'} ${index + 1}`;
    return always.length === 1 ? 'a' : `a${index + 1}`;
  };
  const scopes = always.map(({ text }, index) => `${nameOf(index)}  always: ${text}`);
  const known = facts.flatMap((fact) => factRows(fact, width, paint));
  return {
    head: [...block(title, { width, indent: '', paint, style: 'notice' }), ...known],
    facts: known,
    body: partRows(parts, { width, color }),
    always: scopes.flatMap((text) => hanging(text, text.indexOf('always'), width - 2).map((row) => `  ${row}`)),
  };
}

/** Commands, differences and texts of a question as rows, numbered where lines have numbers. */
export function partRows(parts: readonly Part[], { width, color }: RowOptions): string[] {
  const paint = createPaint(color);
  return parts.flatMap((part) => rowsOf(part, width, paint));
}

function rowsOf(part: Part, width: number, paint: Paint): string[] {
  switch (part.kind) {
    case 'command':
      return block(part.text, { width, indent: DEEP, paint, style: 'plain' });
    case 'prose':
      return block(part.text, { width, indent: '  ', paint, style: 'plain' });
    case 'field':
      return fieldRows(part, width, paint);
    case 'difference':
      return differenceRows(part, width, paint);
  }
}

const DEEP = '    ';

interface Block {
  width: number;
  indent: string;
  paint: Paint;
  style: Style;
}

function block(text: string, { width, indent, paint, style }: Block): string[] {
  const rows = safe(text)
    .replace(/(?<!\n)\n+$/, '')
    .split('\n');
  return rows.flatMap((line) => wrap(line, width - indent.length)).map((row) => indent + paint(style, row));
}

/** What goes on stands below the words, not below their key. */
function hanging(text: string, indent: number, width: number): string[] {
  const key = text.slice(0, indent);
  return wrap(safe(text.slice(indent)), width - indent).map(
    (row, index) => (index === 0 ? key : ' '.repeat(indent)) + row,
  );
}

function factRows({ name, text, isWarning }: Fact, width: number, paint: Paint): string[] {
  return block(`${name}: ${text}`, { width, indent: '  ', paint, style: isWarning ? 'error' : 'quiet' });
}

function fieldRows({ name, text }: Extract<Part, { kind: 'field' }>, width: number, paint: Paint): string[] {
  const isShort = !text.includes('\n') && name.length + text.length < width - 8;
  if (name !== '' && isShort) return block(`${name}: ${text}`, { width, indent: DEEP, paint, style: 'plain' });
  const title = name === '' ? [] : block(`${name}:`, { width, indent: DEEP, paint, style: 'plain' });
  return [...title, ...block(text, { width, indent: name === '' ? DEEP : '      ', paint, style: 'plain' })];
}

function differenceRows(
  { path, to, state, remarks, rows, added, removed }: DifferencePart,
  width: number,
  paint: Paint,
): string[] {
  const name = to === undefined ? path : `${path} → ${to}`;
  const about = [name, state === 'moved' ? undefined : state].filter(Boolean).join(' ');
  const digits = rows.reduce((most, row) => Math.max(most, String(row.new ?? row.old ?? '').length), 2);
  return [
    ...aboutRows(about, { added, removed }, width, paint),
    ...remarks.flatMap((remark) => block(remark, { width, indent: DEEP, paint, style: 'notice' })),
    ...rows.flatMap((row) => lineRows(row, digits, width, paint)),
  ];
}

/** What it is about in its colour, how much comes and goes in theirs. */
function aboutRows(about: string, sums: { added: number; removed: number }, width: number, paint: Paint): string[] {
  const { added, removed } = sums;
  const end = added + removed > 0 ? `+${added} −${removed}` : '';
  const text = [about, end].filter(Boolean).join(' ');
  if (text === '') return [];
  const painted = `${paint(added > 0 ? 'result' : 'quiet', `+${added}`)} ${paint(removed > 0 ? 'removed' : 'quiet', `−${removed}`)}`;
  return wrap(safe(text), width - 2).map((row) =>
    end !== '' && row.endsWith(end)
      ? `  ${paint('tool', row.slice(0, -end.length))}${painted}`
      : `  ${paint('tool', row)}`,
  );
}

const SIGNS: Record<Row['kind'], string> = { same: ' ', add: '+', remove: '-', gap: ' ' };
const STYLES: Record<Row['kind'], Style> = { same: 'quiet', add: 'result', remove: 'removed', gap: 'quiet' };

/** The number in the new file, of a line that goes in the old one. */
function lineRows({ kind, old, new: now, text }: Row, digits: number, width: number, paint: Paint): string[] {
  const gutter = `  ${String(now ?? old ?? '').padStart(digits)} ${SIGNS[kind]} `;
  if (kind === 'gap') return [paint('quiet', `${gutter}⋯`)];
  const rows = safe(text).replaceAll('\n', '\ufffd');
  return wrap(rows, width - gutter.length).map((row, index) =>
    paint(STYLES[kind], `${index === 0 ? gutter : ' '.repeat(gutter.length)}${row}`),
  );
}
