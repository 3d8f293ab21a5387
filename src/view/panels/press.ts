/** What each key does. A key that does something to a session is dead for a moment after another session or question came in its place. */
import { EMPTY_LINE, editLine } from '../terminal/input-line.js';
import type { Key } from '../terminal/key.js';
import { pressQuestion } from '../terminal/question/index.js';
import { FRESH_MS } from '../terminal/question/question.js';
import { askingSize, isAskingLong, recordOf } from './asking.js';
import { moveBy, nextWaiting, withoutSearch } from './cursor.js';
import { groupOf } from './listing.js';
import { contentOf, topOf } from './session-rows.js';
import {
  chosen,
  type Deed,
  isTyping,
  type Listed,
  type Moment,
  type PanelsState,
  TABS,
  type Typing,
  type Updated,
} from './state.js';

export function press(before: PanelsState, key: Key, moment: Moment): Updated {
  const { unsure, remark: _, ...rest } = before;
  const state: PanelsState = rest;
  if (key.name === 'ctrl-c' || (nameIn(key) === 'q' && !isTyping(state))) return quit(state, unsure?.deed === 'quit');
  if (state.typing) return typeOn(state, state.typing, key);
  if (state.hasHelp) return only({ ...state, hasHelp: false });
  return pressAsked(state, key, moment) ?? browse(state, key, moment, unsure);
}

const only = (state: PanelsState, ...deeds: Deed[]): Updated => ({ state, deeds });
const told = (state: PanelsState, text: string): Updated => only({ ...state, remark: { text, isBad: true, at: 0 } });

/** Letters stand for themselves. */
const nameIn = (key: Key): string => (key.name === 'text' ? key.text : key.name);

function quit(state: PanelsState, isSure: boolean): Updated {
  const { ownRuns } = state;
  if (ownRuns === 0 || isSure) return only(state, { type: 'quit' });
  const what = ownRuns === 1 ? 'An agent that was started here ends' : `${ownRuns} agents that were started here end`;
  return only({
    ...state,
    unsure: { deed: 'quit', id: '' },
    remark: { text: `${what} with the panels. q again quits.`, isBad: true, at: 0 },
  });
}

function typeOn(state: PanelsState, typing: Typing, key: Key): Updated {
  const { kind, id, line } = typing;
  if (key.name === 'escape') return only(kind === 'search' ? withoutSearch(state) : { ...state, typing: undefined });
  if (kind === 'search' && (key.name === 'up' || key.name === 'down'))
    return only(moveBy(state, key.name === 'up' ? -1 : 1));
  if (key.name === 'enter') {
    const done = { ...state, typing: undefined };
    const text = line.text.trim();
    if (text === '') return only(kind === 'search' ? withoutSearch(state) : done);
    return kind === 'search' ? only(done) : only(done, { type: kind, id, text });
  }
  const edited = editLine(line, key);
  if (!edited) return only(state);
  const next = { ...state, typing: { kind, id, line: edited } };
  if (kind !== 'search' || edited.text === line.text) return only(next);
  return edited.text.trim() === ''
    ? only({ ...next, found: undefined })
    : only(next, { type: 'search', text: edited.text });
}

/** Undefined when the key is not for the question that is shown. */
function pressAsked(state: PanelsState, key: Key, moment: Moment): Updated | undefined {
  const { asking, focus } = state;
  const room = askingSize(state, moment.size, moment.color);
  if (!asking || !room) return undefined;
  const { step } = asking.state;
  if (step === 'choose' && !isChoosing(state, key, moment)) return undefined;
  if (step === 'field' && focus === 'list') return undefined;
  if (step === 'field' && asking.state.own.text === '' && (key.name === 'escape' || key.name === 'left'))
    return undefined;
  if (key.name === 'tab' || key.name === 'back-tab') return undefined;
  const pressed = pressQuestion(asking.question, asking.state, key, {
    ...room,
    now: moment.now,
    isLineEmpty: true,
  });
  const next = { ...state, asking: { ...asking, state: pressed.state } };
  const record = recordOf(state, asking.name);
  switch (pressed.effect?.type) {
    case 'answer':
      if (!record) return only(next);
      return only(
        { ...next, answered: [...state.answered, asking.name] },
        { type: 'answer', question: record, answer: pressed.effect.answer },
      );
    case 'edit':
      return record ? only(next, { type: 'edit', question: record }) : only(next);
    case 'later':
    case 'next':
      return only(nextWaiting(next, 1));
    case 'hand-over':
    case 'pass':
    case undefined:
      return only(next);
  }
}

/** Everything else belongs to the panels; what is too long to be seen at once is read to its end first. */
function isChoosing(state: PanelsState, key: Key, { size, color }: Moment): boolean {
  if (key.name !== 'up' && key.name !== 'down') return CHOOSING.has(nameIn(key).toLowerCase());
  return state.focus === 'session' && isAskingLong(state, size, color);
}

const CHOOSING = new Set(['y', 'n', 'e', 'a', 'w', 'l', ' ', 'page-up', 'page-down']);

function browse(state: PanelsState, key: Key, moment: Moment, unsure: PanelsState['unsure']): Updated {
  const name = nameIn(key);
  const tab = /^[1-5]$/.test(name) ? TABS[Number(name) - 1] : undefined;
  if (tab) return only({ ...state, tab, top: undefined });
  const steps = MOVES[name];
  if (steps !== undefined)
    return state.focus === 'list' && !SCROLLING.has(name)
      ? only(moveBy(state, steps))
      : scrollBy(state, name, steps, moment);
  switch (name) {
    case 'tab':
      return only(nextWaiting(state, 1));
    case 'back-tab':
      return only(nextWaiting(state, -1));
    case 'enter':
    case 'right':
      return only(chosen(state) ? { ...state, focus: 'session' } : state);
    case 'left':
      return only({ ...state, focus: 'list' });
    case 'escape':
      return only(state.focus === 'session' ? { ...state, focus: 'list' } : withoutSearch(state));
    case '/':
      return only({ ...state, focus: 'list', typing: emptyTyping('search', '') });
    case '?':
      return only({ ...state, hasHelp: true, focus: 'session' });
    default:
      return act(state, name, moment, unsure);
  }
}

const MOVES: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  down: 1,
  j: 1,
  home: Number.NEGATIVE_INFINITY,
  g: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
  G: Number.POSITIVE_INFINITY,
  'page-up': -1,
  'page-down': 1,
  ' ': 1,
};
/** These turn the pages of the session, wherever the keys go to. */
const SCROLLING = new Set(['page-up', 'page-down', ' ']);

function scrollBy(state: PanelsState, name: string, steps: number, moment: Moment): Updated {
  const content = contentOf(state, moment);
  if (!content) return only(state);
  const page = SCROLLING.has(name) ? Math.max(1, content.height - 1) : 1;
  const last = Math.max(0, content.rows.length - content.height);
  const to = Math.max(0, Math.min(last, topOf(state, content) + steps * page));
  const hasEarlier = state.opened?.id === state.cursor && (state.opened?.from ?? 0) > 0;
  // At its end it goes on with what comes.
  const next = { ...state, top: to === last ? undefined : to };
  return to === 0 && steps < 0 && hasEarlier
    ? only(next, { type: 'read-earlier', id: state.cursor ?? '' })
    : only(next);
}

/** What is done to the session under the cursor. */
function act(state: PanelsState, name: string, { now }: Moment, unsure: PanelsState['unsure']): Updated {
  const listed = chosen(state);
  if (!listed || !ACTS.has(name) || now - state.changedAt < FRESH_MS) return only(state);
  const { id, state: kept, agentSessionId } = listed.session;
  if (name === 'T') return handOver(state, listed, unsure);
  if (name === 'r') {
    if (groupOf(listed) !== 'ended') return told(state, 'It has not ended: s says something to it.');
    if (agentSessionId === undefined) return told(state, 'It ended before its agent said how to go on with it.');
    return only({ ...state, typing: emptyTyping('resume', id) });
  }
  if (name === 'b') {
    if (groupOf(listed) !== 'ended')
      return told(state, 'It has not ended: its files are taken back when nobody works on them.');
    return only(state, { type: 'take-back', id });
  }
  if (groupOf(listed) === 'ended') return told(state, 'It has ended: r goes on with it.');
  if (kept === 'ended') return told(state, 'glassbox did not start it: speak to it in its own terminal.');
  if (name === 's') return only({ ...state, typing: emptyTyping('say', id) });
  if (name === 'i') return only(state, { type: 'interrupt', id });
  if (unsure?.deed === 'stop' && unsure.id === id) return only(state, { type: 'stop', id });
  return only({
    ...state,
    unsure: { deed: 'stop', id },
    remark: { text: 'x again ends this agent, and everything that it started.', isBad: true, at: 0 },
  });
}

/** To the agent's own program; a run that goes on is ended for that, which is asked once. */
function handOver(state: PanelsState, listed: Listed, unsure: PanelsState['unsure']): Updated {
  const { id, state: kept, agentSessionId } = listed.session;
  if (agentSessionId === undefined) return told(state, 'Its agent has not said how to go on with it.');
  if (kept === 'ended' && groupOf(listed) !== 'ended') return told(state, 'It is open in its own terminal already.');
  if (kept === 'ended' || (unsure?.deed === 'hand-over' && unsure.id === id))
    return only(state, { type: 'hand-over', id });
  const text = 'T again interrupts it and opens it in its own program; it comes back here afterwards.';
  return only({ ...state, unsure: { deed: 'hand-over', id }, remark: { text, isBad: true, at: 0 } });
}

const ACTS = new Set(['s', 'i', 'x', 'r', 'b', 'T']);

export const emptyTyping = (kind: Typing['kind'], id: string): Typing => ({ kind, id, line: EMPTY_LINE });
