/** One session: its tabs, what stands in the one that is open, and below it what is asked or what goes on. */
import stringWidth from 'fast-string-width';
import { selectRun } from '../../session/index.js';
import { counted } from '../../word/index.js';
import { statusRow } from '../terminal/status-row.js';
import { rowsOf, styled } from '../terminal/styled.js';
import { safeLine } from '../text/safe.js';
import { askingRows } from './asking.js';
import { layoutOf } from './layout.js';
import { awaited, groupOf } from './listing.js';
import { chosen, type Listed, type Moment, type Opened, type PanelsState, TABS, type Tab } from './state.js';
import { tabRows } from './tab-rows.js';

/** What a tab holds, and how much of it is seen. */
export interface Content {
  readonly rows: readonly string[];
  readonly width: number;
  /** How many fit. */
  readonly height: number;
  readonly below: readonly string[];
}

export function sessionRows(state: PanelsState, moment: Moment): string[] {
  const { color } = moment;
  const content = contentOf(state, moment);
  if (!content) return [styled(' Choose a session.', ['dim'], color)];
  const { rows, height, below, width } = content;
  const top = topOf(state, content);
  const shown = rows.slice(top, top + height);
  const left = rows.length - top - height;
  const more = left > 0 && height > 1 ? [styled(`↓ ${counted(left, 'row')} more`, ['dim'], color)] : [];
  return [
    tabsRow(state.tab, width, color),
    ...shown.slice(0, height - more.length).map(besideBorder),
    ...more.map((row) => ` ${row}`),
    ...Array.from({ length: Math.max(0, height - shown.length) }, () => ''),
    ...below,
  ];
}

const known = new Map<string, string>();
const MOST_KNOWN = 1000;

/** The same string for the same row: one that is known need not be measured again. */
function besideBorder(row: string): string {
  const before = known.get(row);
  if (before !== undefined) return before;
  const whole = ` ${row}`;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(row, whole);
  return whole;
}

/** The tab's rows stand one column from the border on both sides. Undefined where no session is shown. */
export function contentOf(state: PanelsState, moment: Moment): Content | undefined {
  const listed = chosen(state);
  const layout = layoutOf(state, moment.size);
  if (!listed || layout?.session === undefined) return undefined;
  const { session: width, height } = layout;
  const opened = state.opened?.id === listed.session.id ? state.opened : undefined;
  const below = belowRows(state, listed, opened, width, moment);
  const rows = tabRows(state.tab, listed, opened, { ...moment, width: width - 2 });
  return { rows, width, height: Math.max(0, height - 1 - below.length), below };
}

/** The first row that is seen: where somebody scrolled to, else so that the end is. */
export function topOf(
  { top, tab }: Pick<PanelsState, 'top' | 'tab'>,
  { rows, height }: Pick<Content, 'rows' | 'height'>,
): number {
  const last = Math.max(0, rows.length - height);
  if (top !== undefined) return Math.min(top, last);
  return tab === 'conversation' || tab === 'tools' || tab === 'thinking' ? last : 0;
}

function belowRows(
  state: PanelsState,
  listed: Listed,
  opened: Opened | undefined,
  width: number,
  moment: Moment,
): string[] {
  const { color, now } = moment;
  if (state.asking) return askingRows(state, moment);
  if (groupOf(listed) === 'waiting' && listed.questions.length === 0) {
    const words = awaited(listed);
    const text = `It waits in its own terminal${words === undefined ? '' : `: ${safeLine(words, 200)}`}. Answer it there.`;
    return rowsOf([{ text, looks: ['warning'] }], width - 2, color).map((row) => ` ${row}`);
  }
  if (groupOf(listed) === 'ended' || !opened) return [];
  const startedAt = selectRun(opened.state)?.startedAt ?? listed.session.startedAt;
  return [statusRow(opened.state, { width, color, now, startedAt })];
}

const NAMES: Record<Tab, string> = {
  conversation: 'Conversation',
  tools: 'Tools',
  thinking: 'Thinking',
  changes: 'Changes',
  numbers: 'Numbers',
};

/** The one that is open is in brackets; where it is narrow only that one has its name. */
function tabsRow(tab: Tab, width: number, color: boolean): string {
  const drawn = (hasNames: boolean) =>
    TABS.map((one, index) => {
      const name = hasNames || one === tab ? ` ${NAMES[one]}` : '';
      return one === tab
        ? { text: `[${index + 1}${name}]`, looks: ['bold'] as const }
        : { text: ` ${index + 1}${name} `, looks: ['dim'] as const };
    });
  const wide = drawn(true);
  const parts = stringWidth(wide.map(({ text }) => text).join('')) <= width ? wide : drawn(false);
  return parts.map(({ text, looks }) => styled(text, looks, color)).join('');
}
