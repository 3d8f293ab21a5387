/** Beside a session, where there is room: which files it changed, and its figures. */
import { styled } from '../terminal/styled.js';
import { changedFileRows } from './change-rows.js';
import { numberRows } from './number-rows.js';
import { chosen, type Moment, type PanelsState } from './state.js';

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
  const figures = numberRows(listed, opened?.state, room);
  const files = opened ? changedFileRows(opened.state, Math.max(1, height - figures.length - HEAD), room) : [];
  const rows = [
    ...(files.length > 0 ? files : [styled(opened ? 'No file was changed.' : 'Reading…', ['dim'], color)]),
    '',
    styled('Numbers', ['bold'], color),
    ...figures,
  ];
  return rows.map((row) => ` ${row}`);
}
