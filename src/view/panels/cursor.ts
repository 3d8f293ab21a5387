/** Which session is looked at: the cursor belongs to a session, and moves only where somebody moves it. */
import { groupOf } from './listing.js';
import { chosen, type Listed, nameOf, type PanelsState } from './state.js';

/** The cursor stays with its session as long as there is one. */
export function withCursor(state: PanelsState): PanelsState {
  if (chosen(state)) return state;
  const [first] = state.found ?? state.listed;
  return movedTo(state, first?.session.id);
}

/** Another session is looked at, from its end. */
function movedTo(state: PanelsState, cursor: string | undefined): PanelsState {
  if (cursor === state.cursor) return state;
  const { opened, ...rest } = state;
  return { ...rest, cursor, top: undefined, ...(opened?.id === cursor && { opened }) };
}

/** Nothing is looked for any more. */
export function withoutSearch(state: PanelsState): PanelsState {
  return withCursor({ ...state, found: undefined, typing: undefined });
}

export function moveBy(state: PanelsState, steps: number): PanelsState {
  const all = state.found ?? state.listed;
  if (all.length === 0) return state;
  const at = all.findIndex(({ session }) => session.id === state.cursor);
  const to = Math.max(0, Math.min(all.length - 1, at + steps));
  return movedTo(state, all[to]?.session.id);
}

/** Round and round through what waits; where nothing does, through all of them. */
export function nextWaiting(state: PanelsState, step: 1 | -1): PanelsState {
  const waits = (one: Listed) =>
    one.questions.some((question) => !state.answered.includes(nameOf(question))) ||
    (one.questions.length === 0 && groupOf(one) === 'waiting');
  const all = state.found ?? state.listed;
  const at = all.findIndex(({ session }) => session.id === state.cursor);
  const others = all
    .map((_, index) => all[(at + step * (index + 1) + all.length * 2) % all.length])
    .filter((one) => one !== undefined);
  const next =
    others.find((one) => waits(one) && one.session.id !== state.cursor) ?? (all.some(waits) ? undefined : others[0]);
  return next ? movedTo(state, next.session.id) : state;
}
