/** Beside a session, where there is room: which files it changed, and its figures. */
import { type SessionState, selectRun } from '../../session/index.js';
import { styled } from '../terminal/styled.js';
import { changedFileRows } from './change-rows.js';
import { numberRows } from './number-rows.js';
import { chosen, type Listed, type Moment, type PanelsState } from './state.js';

/** A title of its own, and air above it. */
const HEAD = 2;

/** What it changed stands below the title in the border. Nothing where no session is shown. */
export function sideRows(
  state: PanelsState,
  { width, height }: { width: number; height: number },
  { color, now }: Moment,
): string[] {
  const listed = chosen(state);
  if (!listed) return [];
  const opened = state.opened?.id === listed.session.id ? state.opened : undefined;
  const room = { width: width - 2, color, now };
  const figures = figureRows(listed, opened?.state, room);
  const files = opened ? changedFileRows(opened.state, Math.max(1, height - figures.length - HEAD), room) : READING;
  return stacked(files, figures, color);
}

const READING: readonly string[] = [];
const put = new WeakMap<readonly string[], { files: readonly string[]; rows: string[] }>();

/** The same rows as long as nothing in them changed: a row that is known need not be measured. */
function stacked(files: readonly string[], figures: readonly string[], color: boolean): string[] {
  const known = put.get(figures);
  if (known?.files === files) return known.rows;
  const quiet = (text: string) => [styled(text, ['dim'], color)];
  const above = files === READING ? quiet('Reading…') : files.length > 0 ? files : quiet('No file was changed.');
  const rows = [...above, '', styled('Numbers', ['bold'], color), ...figures].map((row) => ` ${row}`);
  put.set(figures, { files, rows });
  return rows;
}

interface Drawn {
  look: string;
  run: readonly unknown[];
  rows: string[];
}

const drawn = new WeakMap<Listed, Drawn>();

/** They change once a second, and when something else is told of the session or of its limits. */
function figureRows(
  listed: Listed,
  state: SessionState | undefined,
  { width, color, now }: { width: number; color: boolean; now: number },
): string[] {
  const second = Math.floor(now / 1000) * 1000;
  const look = `${width} ${color} ${second}`;
  const { limits, context } = (state && selectRun(state)) ?? {};
  const run = [limits, context];
  const known = drawn.get(listed);
  if (known?.look === look && known.run.every((one, index) => one === run[index])) return known.rows;
  const rows = numberRows(listed, state, { width, color, now: second });
  drawn.set(listed, { look, run, rows });
  return rows;
}
