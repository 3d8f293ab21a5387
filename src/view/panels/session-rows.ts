/** One session: its tabs, what stands in the one that is open, and below it what is asked or what goes on. */
import stringWidth from 'fast-string-width';
import { selectRun } from '../../session/index.js';
import { counted } from '../../word/index.js';
import { statusRow } from '../terminal/status-row.js';
import { rowsOf, styled } from '../terminal/styled.js';
import { safeLine } from '../text/safe.js';
import { askingHeight, askingRows } from './asking.js';
import { awaited, groupOf } from './listing.js';
import { chosen, type Listed, type Opened, type PanelsState, TABS, type Tab } from './state.js';
import { tabRows } from './tab-rows.js';

export interface PaneOptions {
  readonly width: number;
  readonly height: number;
  readonly color: boolean;
  readonly now: number;
}

/** What a tab holds, and how much of it is seen. */
export interface Content {
  readonly rows: readonly string[];
  /** How many fit. */
  readonly height: number;
  readonly below: readonly string[];
}

export function sessionRows(state: PanelsState, options: PaneOptions): string[] {
  const listed = chosen(state);
  const { width, color } = options;
  if (!listed) return [styled(' Choose a session.', ['dim'], color)];
  const { rows, height, below } = contentOf(state, listed, options);
  const top = topOf(state, { rows, height });
  const shown = rows.slice(top, top + height);
  const left = rows.length - top - height;
  const more = left > 0 && height > 1 ? [styled(`↓ ${counted(left, 'row')} more`, ['dim'], color)] : [];
  return [
    tabsRow(state.tab, width, color),
    ...shown.slice(0, height - more.length).map((row) => ` ${row}`),
    ...more.map((row) => ` ${row}`),
    ...Array.from({ length: Math.max(0, height - shown.length) }, () => ''),
    ...below,
  ];
}

/** The tab's rows stand one column from the border on both sides. */
export function contentOf(state: PanelsState, listed: Listed, options: PaneOptions): Content {
  const { width, height, color, now } = options;
  const opened = state.opened?.id === listed.session.id ? state.opened : undefined;
  const below = belowRows(state, listed, opened, options);
  const rows = tabRows(state.tab, listed, opened, { width: width - 2, color, now });
  return { rows, height: Math.max(0, height - 1 - below.length), below };
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

function belowRows(state: PanelsState, listed: Listed, opened: Opened | undefined, options: PaneOptions): string[] {
  const { width, height, color, now } = options;
  if (state.asking) return askingRows(state, { width, height: askingHeight(height), color, now });
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
