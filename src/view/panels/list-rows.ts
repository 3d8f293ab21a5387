/** The sessions as rows: a heading for each group, a row or two for each session, the one under the cursor always among them. */
import stringWidth from 'fast-string-width';
import type { ShownState } from '../../presence/index.js';
import { capitalised, duration } from '../../word/index.js';
import { type Look, styled } from '../terminal/styled.js';
import { spinner } from '../terminal/tool-rows.js';
import { cutToWidth } from '../text/cut-to-width.js';
import { safeLine } from '../text/safe.js';
import { awaited, type Group, groupOf, since, stateOf } from './listing.js';
import type { Listed, PanelsState } from './state.js';

interface Options {
  readonly width: number;
  readonly height: number;
  readonly color: boolean;
  readonly now: number;
}

interface ListRow {
  readonly text: string;
  /** Of which session. */
  readonly id?: string;
}

export function listRows(state: PanelsState, options: Options): string[] {
  const { color, height } = options;
  const all = state.found ? foundRows(state.found, state, options) : groupRows(state, options);
  if (all.length === 0) return emptyRows(state).map((text) => styled(text, ['dim'], color));
  const isHere = ({ id }: ListRow) => id !== undefined && id === state.cursor;
  const [first, last] = [all.findIndex(isHere), all.findLastIndex(isHere)];
  const centred = first - Math.floor((height - (last - first + 1)) / 2);
  const from = Math.max(0, Math.min(centred, all.length - height));
  return all.slice(from, from + height).map(({ text }) => text);
}

function emptyRows({ found, isRead }: PanelsState): string[] {
  if (found) return ['Nothing found.'];
  if (!isRead) return ['Reading…'];
  return [
    'No agent is at work,',
    'and none was today.',
    '',
    'Begin with:',
    'glassbox run "…"',
    '',
    '/ searches older ones',
  ];
}

const HEADINGS: Record<Group, string> = {
  waiting: 'Waiting for you',
  working: 'Working',
  idle: 'Idle',
  parked: 'Parked',
  unknown: 'Unknown',
  ended: 'Ended today',
};

function groupRows(state: PanelsState, options: Options): ListRow[] {
  const rows: ListRow[] = [];
  let group: Group | undefined;
  for (const listed of state.listed) {
    const own = groupOf(listed);
    if (own !== group)
      rows.push({ text: styled(HEADINGS[own], own === 'waiting' ? ['warning'] : ['dim'], options.color) });
    group = own;
    rows.push(...sessionRows(listed, state, options));
  }
  return rows;
}

function foundRows(found: readonly Listed[], state: PanelsState, options: Options): ListRow[] {
  return found.flatMap((listed) => sessionRows(listed, state, options));
}

const drawn = new WeakMap<Listed, { look: string; rows: ListRow[] }>();

/** A mark turns ten times a second; what has ended only gets older. */
function sessionRows(listed: Listed, { cursor }: PanelsState, options: Options): ListRow[] {
  const isHere = listed.session.id === cursor;
  const { width, color, now } = options;
  const look = `${width} ${color} ${isHere} ${Math.floor(now / (groupOf(listed) === 'ended' ? 1000 : 100))}`;
  const known = drawn.get(listed);
  if (known?.look === look) return known.rows;
  const rows = rowsOfSession(listed, isHere, options);
  drawn.set(listed, { look, rows });
  return rows;
}

/** One that has ended says so in its row; all others have room for what they do. */
function rowsOfSession(listed: Listed, isHere: boolean, { width, color, now }: Options): ListRow[] {
  const { session } = listed;
  const { id, title, agent, updatedAt } = session;
  const group = groupOf(listed);
  const mark = markOf(stateOf(listed), now);
  const age = group === 'ended' ? briefAge(now - updatedAt) : '';
  const room = Math.max(4, width - 4 - (age === '' ? 0 : age.length + 1));
  const name = shortened(title || '(no prompt)', room);
  const pad = age === '' ? '' : `${' '.repeat(Math.max(1, room - name.columns + 1))}${styled(age, ['dim'], color)}`;
  const head = `${isHere ? styled('▸', ['accent'], color) : ' '}${styled(mark.text, [mark.look], color)} ${styled(name.text, isHere ? ['bold'] : [], color)}${pad}`;
  const about = aboutOf(listed, group, agent, now);
  if (about === '') return [{ text: head, id }];
  const looks: Look[] = group === 'waiting' ? ['warning'] : ['dim'];
  return [
    { text: head, id },
    { text: `   ${styled(shortened(about, width - 4).text, looks, color)}`, id },
  ];
}

function aboutOf(listed: Listed, group: Group, agent: string, now: number): string {
  if (listed.hit !== undefined) return listed.hit;
  if (group === 'ended') return '';
  const asks = awaited(listed);
  if (asks !== undefined) return asks;
  const from = since(listed);
  const age = from === undefined ? '' : duration(Math.floor(Math.max(0, now - from) / 1000) * 1000);
  const project = listed.session.cwd?.split(/[\\/]/).at(-1) ?? '';
  const { word } = stateOf(listed);
  const first = group === 'waiting' ? capitalised(word) : '';
  return [first, agent, project, age].filter(Boolean).join(' · ');
}

/** Titles are longer lived than pictures. */
const known = new Map<string, { text: string; columns: number }>();
const MOST_KNOWN = 1000;

/** One line that fits, and how wide it is. */
function shortened(words: string, width: number): { text: string; columns: number } {
  const name = `${width} ${words}`;
  const before = known.get(name);
  if (before) return before;
  const text = cutToWidth(safeLine(words, 300), width);
  const line = { text, columns: stringWidth(text) };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, line);
  return line;
}

const MARKS: Record<ShownState['tone'], { text: string; look: Look }> = {
  waiting: { text: '◆', look: 'warning' },
  working: { text: '●', look: 'accent' },
  idle: { text: '○', look: 'dim' },
  parked: { text: '◌', look: 'dim' },
  unknown: { text: '?', look: 'dim' },
  finished: { text: '✔', look: 'good' },
  stopped: { text: '⊘', look: 'warning' },
  failed: { text: '✖', look: 'bad' },
  ended: { text: '·', look: 'dim' },
};

function markOf({ tone }: ShownState, now: number): { text: string; look: Look } {
  return tone === 'working' ? { text: spinner(now), look: 'accent' } : MARKS[tone];
}

/** `now`, `26m`, `3h`, `4d`. */
function briefAge(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}
