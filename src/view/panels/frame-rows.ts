/** The whole screen: pure, each row exactly as wide as the terminal, so that what did not change need not be written again. */
import stringWidth from 'fast-string-width';
import { tellMoney } from '../../ledger/index.js';
import { duration } from '../../word/index.js';
import { inputRows } from '../terminal/input-rows.js';
import { styled } from '../terminal/styled.js';
import { isDisputed, moveColumns, toColumn } from '../text/column.js';
import { cutToWidth } from '../text/cut-to-width.js';
import { safeLine } from '../text/safe.js';
import { fitToWidth } from './fit-to-width.js';
import { helpRows } from './help-rows.js';
import { keyHints } from './key-hints.js';
import { type Layout, layoutOf, SMALLEST } from './layout.js';
import { listRows } from './list-rows.js';
import { GROUPS, groupOf } from './listing.js';
import { sessionRows } from './session-rows.js';
import { sideRows } from './side-rows.js';
import { chosen, type Moment, type PanelsState, type Size } from './state.js';

export function frameRows(state: PanelsState, moment: Moment): string[] {
  const { columns, rows } = moment.size;
  const layout = layoutOf(state, moment.size);
  const drawn = layout ? panelRows(state, layout, moment) : tooSmall(moment.size);
  const blank = ' '.repeat(columns);
  // Between its borders a row has its width already.
  return Array.from({ length: rows }, (_, row) => {
    const line = drawn[row];
    return line === undefined ? blank : layout && row > 0 && row < rows - 2 ? line : fitToWidth(line, columns);
  });
}

function tooSmall({ columns, rows }: Size): string[] {
  return [
    `glassbox needs ${SMALLEST.columns}×${SMALLEST.rows},`,
    `this is ${columns}×${rows}.`,
    'Make the window larger;',
    'q quits.',
  ];
}

function panelRows(state: PanelsState, layout: Layout, moment: Moment): string[] {
  const { list, session, side, height } = layout;
  const { color } = moment;
  const bar = styled('│', ['dim'], color);
  const panels = [
    ...(list === undefined ? [] : [{ width: list, rows: listRows(state, { ...moment, width: list, height }) }]),
    ...(session === undefined
      ? []
      : [{ width: session, rows: sessionPanel(state, { width: session, height }, moment) }]),
    ...(side === undefined ? [] : [{ width: side, rows: sideRows(state, { width: side, height }, moment) }]),
  ];
  const bodyRow = (row: number) =>
    beside(
      panels.map(({ width, rows }) => ({ width, text: fitToWidth(rows[row] ?? '', width) })),
      [bar, bar, bar],
    );
  return [
    headRow(state, moment),
    topBorder(state, layout, moment),
    ...Array.from({ length: height }, (_, row) => bodyRow(row)),
    bottomBorder(
      panels.map(({ width }) => width),
      color,
    ),
    footRow(state, moment),
  ];
}

/** Pieces of a row between borders, each of which stands in its column whatever the terminal takes the text before it for. */
function beside(
  pieces: readonly { width: number; text: string }[],
  [left = '', between = '', right = '']: readonly string[],
): string {
  let column = 1;
  let row = left;
  pieces.forEach(({ width, text }, index) => {
    if (index > 0) row += between;
    row += isDisputed(text) ? moveColumns(text + toColumn(width + 1), column) : text;
    column += width + 1;
  });
  return row + right;
}

function sessionPanel(state: PanelsState, room: { width: number; height: number }, moment: Moment): string[] {
  return state.hasHelp ? helpRows({ ...room, color: moment.color }) : sessionRows(state, moment);
}

/** What there is, and what was spent today; where it is narrow, what waits is told last. */
function headRow({ listed, today }: PanelsState, { size, color }: Moment): string {
  const width = size.columns;
  const counts = GROUPS.flatMap((group) => {
    const count = listed.filter((one) => groupOf(one) === group).length;
    return count > 0 && group !== 'ended' ? [`${count} ${group}`] : [];
  });
  const facts = [...counts, ...(today ? [`${tellMoney(today)} today`] : [])];
  const help = '/ search  ? help ';
  while (facts.length > 1 && stringWidth(facts.join(' · ')) + 13 > width) facts.pop();
  const left = ` ${styled('glassbox', ['bold'], color)}  ${facts.join(' · ')}`;
  const gap = width - stringWidth(left) - help.length;
  return gap < 2 ? left : `${left}${' '.repeat(gap)}${styled(help, ['dim'], color)}`;
}

function topBorder(state: PanelsState, { list, session, side }: Layout, moment: Moment): string {
  const { color } = moment;
  const isList = state.focus === 'list';
  const edges = [
    ...(list === undefined ? [] : [{ width: list, text: edge(listTitle(state), [], list, isList, color) }]),
    ...(session === undefined
      ? []
      : [{ width: session, text: edge(...sessionTitle(state, moment), session, !isList, color) }]),
    ...(side === undefined ? [] : [{ width: side, text: edge('Changes', [], side, false, color) }]),
  ];
  return beside(
    edges,
    ['┌', '┬', '┐'].map((corner) => styled(corner, ['dim'], color)),
  );
}

function listTitle({ found }: PanelsState): string {
  return found ? `Found ${found.length}` : 'Sessions';
}

/** Facts in the order in which they leave when it gets narrow. */
function sessionTitle(state: PanelsState, { now }: Moment): [title: string, facts: string[]] {
  const listed = state.hasHelp ? undefined : chosen(state);
  if (!listed) return [state.hasHelp ? 'Keys' : '', []];
  const { title, agent, cwd, spent, runs } = listed.session;
  const last = runs.at(-1);
  const isOn = last !== undefined && last.state !== 'ended';
  const time = isOn ? duration(Math.floor(Math.max(0, now - last.startedAt) / 1000) * 1000) : '';
  const project = safeLine(cwd?.split(/[\\/]/).at(-1) ?? '', 40);
  const facts = [project, safeLine(agent, 20), time, spent ? tellMoney(spent) : ''];
  return [safeLine(title, 300) || '(no prompt)', facts.filter(Boolean)];
}

/** A border with a title in it and facts behind that, as far as there is room. */
function edge(title: string, facts: readonly string[], width: number, isHere: boolean, color: boolean): string {
  const left = [...facts];
  const columns = () => (left.length === 0 ? 0 : stringWidth(left.join(' · ')) + 3);
  while (left.length > 0 && stringWidth(title) + columns() + 3 > width) left.shift();
  const name = cutToWidth(title, width - 3 - columns());
  const line = (count: number) => styled('─'.repeat(Math.max(0, count)), ['dim'], color);
  const words = name === '' ? '' : ` ${styled(name, isHere ? ['bold', 'accent'] : ['bold'], color)} `;
  const more = left.length === 0 ? '' : `${line(1)} ${styled(left.join(' · '), ['dim'], color)} `;
  return `${words}${more}${line(width - columns() - (name === '' ? 0 : stringWidth(name) + 2))}`;
}

function bottomBorder(parts: readonly number[], color: boolean): string {
  return styled(`└${parts.map((width) => '─'.repeat(width)).join('┴')}┘`, ['dim'], color);
}

/** What is typed, what became of the last key, or which keys there are. */
function footRow(state: PanelsState, moment: Moment): string {
  const { typing, remark } = state;
  const { size, color, now } = moment;
  const width = size.columns - 1;
  if (typing) return inputRows(typing.line, { width, color, mark: MARKS[typing.kind], most: 1 })[0] ?? '';
  if (!remark || (!remark.isBad && now - remark.at > REMARK_MS)) return keyHints(state, moment);
  const words = cutToWidth(safeLine(remark.text, 400), width - 1);
  return ` ${styled(words, remark.isBad ? ['bad'] : ['accent'], color)}`;
}

const REMARK_MS = 3000;
const MARKS = { say: ' say: ', resume: ' go on: ', search: ' / ' } as const;
