/**
 * What a key does to a question, pure: the moment is given. A key counts only when the question stood there for a while and nothing else is
 * being typed, or after Tab; before that it belongs to the line below. Nothing is allowed before its end was on the screen.
 */
import { type Field, readTyped } from '../../../consent/index.js';
import type { Answer } from '../../../event/index.js';
import { counted } from '../../../word/index.js';
import { EMPTY_LINE, editLine } from '../input-line.js';
import type { Key } from '../key.js';
import { isArmed, isSeen, type Question, type QuestionState, type Readiness, takesOneKey } from './question.js';
import { layoutQuestion, type QuestionSize } from './question-layout.js';

export type QuestionEffect =
  | { type: 'answer'; answer: Answer }
  /** Its input is to be changed in an editor. */
  | { type: 'edit' }
  /** Put aside, and still open. */
  | { type: 'later' }
  /** Another one is to be shown. */
  | { type: 'next' }
  /** The session is to be opened in the agent's own program. */
  | { type: 'hand-over' }
  /** The key was not for it. */
  | { type: 'pass' };

export interface Pressed {
  state: QuestionState;
  effect?: QuestionEffect;
}

export type Moment = QuestionSize & Readiness;

/** It was drawn, as this state says, in this size. */
export function sawQuestion(
  question: Question,
  state: QuestionState,
  { now, ...size }: QuestionSize & { now: number },
): QuestionState {
  const { quietSince = now, seenAt } = state;
  if (seenAt !== undefined && state.quietSince !== undefined) return state;
  const isEnd = seenAt === undefined && layoutQuestion(question, state, size).isEnd;
  return { ...state, quietSince, ...(isEnd && { seenAt: now }) };
}

/** Something that was tried did not work. */
export const tellQuestion = (state: QuestionState, problem: string): QuestionState => ({ ...state, problem });

export function pressQuestion(question: Question, before: QuestionState, key: Key, moment: Moment): Pressed {
  const { now } = moment;
  const { quietSince, armedSince, problem: _, ...rest } = before;
  // What was not drawn yet is not for anybody's keys.
  if (quietSince === undefined) return { state: before, effect: { type: 'pass' } };
  const isReady = isArmed(before, moment);
  if (key.name === 'tab' && !isReady) return { state: { ...rest, quietSince: now, armedSince: armedSince ?? now } };
  if (!isReady) return { state: { ...rest, quietSince: now }, effect: { type: 'pass' } };
  const state = { ...rest, quietSince: now, armedSince: armedSince ?? quietSince };
  if (key.name === 'tab') return { state, effect: { type: 'next' } };
  switch (state.step) {
    case 'choose':
      return choose(question, state, key, moment);
    case 'always':
      return chooseScope(question, state, key, moment);
    case 'reason':
      return giveReason(state, key);
    case 'field':
      return fillIn(question, state, key, moment);
  }
}

function choose(question: Question, state: QuestionState, key: Key, moment: Moment): Pressed {
  const { consent, canEdit, canLeave } = question;
  const scrolled = scroll(question, state, key, moment);
  if (scrolled) return { state: scrolled };
  switch (key.name === 'text' ? letterOf(key.text) : key.name) {
    case 'y':
      return allow(question, state, moment, { type: 'answer', answer: { type: 'approve' } });
    case 'n':
      return { state: { ...state, step: 'reason', own: EMPTY_LINE } };
    case 'e':
      if (!canEdit) return { state: tellQuestion(state, 'This cannot be changed, only allowed or not.') };
      return allow(question, state, moment, { type: 'edit' });
    case 'a': {
      const [only, ...others] = consent.always;
      if (!only) return { state: tellQuestion(state, 'There is no always here; y allows it this once.') };
      if (others.length === 0) return allow(question, state, moment, always([only.position]));
      return { state: { ...state, step: 'always', chosen: [] } };
    }
    case 'w':
      return { state: showWhole(question, state, moment) };
    case 'T':
      return { state, effect: { type: 'hand-over' } };
    case 'l':
    case 'escape':
      return canLeave ? { state, effect: { type: 'later' } } : { state };
    case 'ctrl-d':
      // The end of input is nobody: no, where it cannot be left to somebody else.
      return { state, effect: canLeave ? { type: 'later' } : { type: 'answer', answer: { type: 'deny' } } };
    default:
      return passed(state);
  }
}

function chooseScope(question: Question, state: QuestionState, key: Key, moment: Moment): Pressed {
  const { always: scopes } = question.consent;
  const { chosen } = state;
  if (key.name === 'enter' && chosen.length > 0) {
    const positions = scopes.filter((_, index) => chosen.includes(index)).map(({ position }) => position);
    return allow(question, state, moment, always(positions));
  }
  const scrolled = scroll(question, state, key, moment);
  if (scrolled) return { state: scrolled };
  if (key.name === 'escape') return { state: { ...state, step: 'choose', chosen: [] } };
  const number = key.name === 'text' && /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : -1;
  if (scopes[number]) {
    const others = chosen.filter((one) => one !== number);
    return { state: { ...state, chosen: others.length < chosen.length ? others : [...chosen, number] } };
  }
  return { state: tellQuestion(state, `Choose of 1 to ${scopes.length}, then Enter; Esc goes back.`) };
}

function giveReason(state: QuestionState, key: Key): Pressed {
  if (key.name === 'escape') return { state: { ...state, step: 'choose', own: EMPTY_LINE } };
  const message = state.own.text.trim();
  if (key.name === 'enter')
    return { state, effect: { type: 'answer', answer: { type: 'deny', ...(message !== '' && { message }) } } };
  return { state: { ...state, own: editLine(state.own, key) ?? state.own } };
}

function fillIn(question: Question, state: QuestionState, key: Key, moment: Moment): Pressed {
  const { fields, canLeave } = question;
  const field = fields[state.field];
  if (!field) return passed(state);
  const { own } = state;
  if (key.name === 'escape') {
    if (own.text !== '') return { state: { ...state, own: EMPTY_LINE } };
    if (state.field > 0) return { state: atField(state, state.field - 1) };
    return canLeave ? { state, effect: { type: 'later' } } : { state };
  }
  if (key.name === 'ctrl-d')
    return { state, effect: { type: 'answer', answer: { type: 'deny', message: 'The user did not answer.' } } };
  if (key.name === 'enter') return answerField(question, state, field, own.text, moment);
  if (own.text === '' && isQuick(field, key)) return answerField(question, state, field, key.text, moment);
  const scrolled = key.name === 'text' ? undefined : scroll(question, state, key, moment);
  return { state: scrolled ?? { ...state, own: editLine(own, key) ?? own } };
}

function isQuick(field: Field, key: Key): boolean {
  if (key.name !== 'text' || !takesOneKey(field)) return false;
  return field.type === 'boolean' ? /^[yn]$/i.test(key.text) : /^[1-9]$/.test(key.text);
}

function answerField(question: Question, state: QuestionState, field: Field, line: string, moment: Moment): Pressed {
  const hindered = hindrance(question, state, moment);
  if (hindered) return { state: hindered };
  const read = readTyped(field, line);
  if ('problem' in read) return { state: tellQuestion(state, read.problem) };
  const answers = 'value' in read ? { ...state.answers, [field.name]: read.value } : state.answers;
  if (state.field + 1 < question.fields.length) return { state: atField({ ...state, answers }, state.field + 1) };
  return { state: { ...state, answers }, effect: { type: 'answer', answer: { type: 'answer', answers } } };
}

/** Another field has to be seen before it is answered. */
function atField(state: QuestionState, field: number): QuestionState {
  return { ...state, field, own: EMPTY_LINE, top: 0, seenAt: undefined };
}

function allow(question: Question, state: QuestionState, moment: Moment, effect: QuestionEffect): Pressed {
  const hindered = hindrance(question, state, moment);
  return hindered ? { state: hindered } : { state, effect };
}

/** Why it cannot be allowed now. */
function hindrance(question: Question, state: QuestionState, moment: Moment): QuestionState | undefined {
  const { missing } = question.consent;
  if (missing !== undefined) return tellQuestion(state, missing);
  if (state.seenAt === undefined) {
    const { below } = layoutQuestion(question, state, moment);
    // It is there with the next picture.
    if (below === 0) return state;
    return tellQuestion(state, `Not before its end was shown: ${counted(below, 'more line')}, ↓ or Space.`);
  }
  return isSeen(state, moment.now) ? undefined : state;
}

/** What is added stands below all the rest; whoever has seen that is brought there. */
function showWhole(question: Question, state: QuestionState, moment: Moment): QuestionState {
  const { above, rows, below } = layoutQuestion(question, state, moment);
  const isThere = state.isWhole || state.seenAt === undefined;
  return { ...state, isWhole: !state.isWhole, top: isThere ? state.top : above + rows.length + below };
}

const always = (remember: number[]): QuestionEffect => ({ type: 'answer', answer: { type: 'approve', remember } });

/** Never past what was not shown: a step is at most a screen. */
function scroll(question: Question, state: QuestionState, key: Key, moment: Moment): QuestionState | undefined {
  const steps = SCROLLS[key.name === 'text' ? key.text : key.name];
  if (steps === undefined) return undefined;
  const { top, room, below } = layoutQuestion(question, state, moment);
  const by = Math.abs(steps) === 1 ? steps : Math.sign(steps) * Math.max(1, room - 1);
  return { ...state, top: Math.max(0, top + Math.min(by, below)) };
}

const PAGE = 2;
const SCROLLS: Readonly<Record<string, number>> = {
  down: 1,
  up: -1,
  ' ': PAGE,
  enter: PAGE,
  'page-down': PAGE,
  'page-up': -PAGE,
};

/** Capitals of a keyboard that is locked mean the same; T alone is a key of its own. */
const letterOf = (text: string): string => (text === 'T' ? text : text.toLowerCase());

function passed({ armedSince: _, ...state }: QuestionState): Pressed {
  return { state, effect: { type: 'pass' } };
}
