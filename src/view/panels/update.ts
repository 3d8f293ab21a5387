/** What happens → the next state of the panels, and what is to be done outside: pure, the moment and the size are given. */
import type { Figure } from '../../ledger/index.js';
import type { Key } from '../terminal/key.js';
import { sawAsking, withAsking } from './asking.js';
import { withCursor } from './cursor.js';
import { inOrder } from './listing.js';
import { emptyTyping, press } from './press.js';
import { contentOf } from './session-rows.js';
import { type Listed, type Moment, nameOf, type Opened, type PanelsState, type Updated } from './state.js';

export type PanelsEvent =
  | { readonly type: 'key'; readonly key: Key }
  /** All sessions that are listed, in any order. */
  | { readonly type: 'listed'; readonly listed: readonly Listed[] }
  | { readonly type: 'found'; readonly text: string; readonly found: readonly Listed[] }
  | { readonly type: 'opened'; readonly opened: Opened }
  | { readonly type: 'told'; readonly text: string; readonly isBad: boolean }
  /** An answer did not come to its agent: it can be answered again. */
  | { readonly type: 'unanswered'; readonly name: string }
  | { readonly type: 'spent'; readonly today: Figure | undefined }
  | { readonly type: 'own-runs'; readonly count: number }
  /** The agent's own program has ended: it goes on here with what is typed next. */
  | { readonly type: 'handed-back'; readonly id: string }
  /** A picture of the state was on the screen. */
  | { readonly type: 'drawn' };

export function update(before: PanelsState, event: PanelsEvent, moment: Moment): Updated {
  const { state, deeds } = follow(before, event, moment);
  const asked = withAsking(state, moment.now);
  return { state: targetOf(before) === targetOf(asked) ? asked : { ...asked, changedAt: moment.now }, deeds };
}

function follow(state: PanelsState, event: PanelsEvent, moment: Moment): Updated {
  switch (event.type) {
    case 'key':
      return press(state, event.key, moment);
    case 'listed':
      return only(withListed(state, event.listed));
    case 'found':
      return only(withFound(state, event));
    case 'opened':
      return only(event.opened.id === state.cursor ? withOpened(state, event.opened, moment) : state);
    case 'told':
      return only({ ...state, remark: { text: event.text, isBad: event.isBad, at: moment.now } });
    case 'unanswered':
      return only({ ...state, answered: state.answered.filter((name) => name !== event.name) });
    case 'spent':
      return only({ ...state, today: event.today });
    case 'own-runs':
      return only({ ...state, ownRuns: event.count });
    case 'handed-back':
      return only(event.id === state.cursor ? { ...state, typing: emptyTyping('resume', event.id) } : state);
    case 'drawn':
      return only(sawAsking(state, moment));
  }
}

const only = (state: PanelsState): Updated => ({ state, deeds: [] });

/** What keys that do something are done to. */
function targetOf({ cursor, asking }: PanelsState): string {
  return `${cursor} ${asking?.name}`;
}

function withListed(state: PanelsState, sessions: readonly Listed[]): PanelsState {
  const listed = inOrder(sessions);
  const asked = new Set(listed.flatMap(({ questions }) => questions.map(nameOf)));
  const found = state.found?.map((one) => ({ ...one, ...pickNow(listed, one) }));
  return withCursor({
    ...state,
    listed,
    isRead: true,
    ...(found && { found }),
    // What is no longer asked needs not be remembered.
    answered: state.answered.filter((name) => asked.has(name)),
  });
}

/** Where somebody reads stays where it is, also when more is put before it. */
function withOpened(state: PanelsState, opened: Opened, moment: Moment): PanelsState {
  const next = { ...state, opened };
  if (state.top === undefined || !state.opened || opened.from === state.opened.from) return next;
  const added = rowCount(next, moment) - rowCount(state, moment);
  return { ...next, top: Math.max(0, state.top + added) };
}

function rowCount(state: PanelsState, moment: Moment): number {
  return contentOf(state, moment)?.rows.length ?? 0;
}

/** What was found is as it is now, with where it was found. */
function pickNow(listed: readonly Listed[], { session, hit }: Listed): Partial<Listed> {
  const now = listed.find((one) => one.session.id === session.id);
  return now ? { ...now, hit } : {};
}

function withFound(state: PanelsState, { text, found }: { text: string; found: readonly Listed[] }): PanelsState {
  // Somebody typed on meanwhile.
  if (state.typing?.kind !== 'search' || state.typing.line.text !== text) return state;
  return withCursor({ ...state, found });
}
