/** The question of the session under the cursor: drawn below its tab, and answered by the keys that it names, once it stood there for a moment. */
import type { ApprovalRecord } from '../../store/index.js';
import {
  beginQuestion,
  type Question,
  type QuestionSize,
  type QuestionState,
  questionChangesAt,
  questionOf as questionFor,
  questionRows,
  sawQuestion,
} from '../terminal/question/index.js';
import { FRESH_MS } from '../terminal/question/question.js';
import { layoutQuestion } from '../terminal/question/question-layout.js';
import { layoutOf } from './layout.js';
import { chosen, type Moment, nameOf, type PanelsState, questionOf, type Size } from './state.js';

export interface Asking {
  /** Which question, by its name. */
  readonly name: string;
  readonly question: Question;
  readonly state: QuestionState;
}

/** Room for a question; something of what led to it stays in sight. */
const SHARE = 0.7;
const LEAST = 9;

function askingHeight(height: number): number {
  return Math.min(height - 1, Math.max(LEAST, Math.ceil(height * SHARE)));
}

/** Where it stands now and which of how many it is; undefined where it is not on the screen. */
export function askingSize(state: PanelsState, size: Size, color: boolean): QuestionSize | undefined {
  const { asking } = state;
  const layout = layoutOf(state, size);
  if (layout?.session === undefined || state.hasHelp || !asking) return undefined;
  const waiting = (state.found ?? state.listed)
    .flatMap(({ questions }) => questions.map(nameOf))
    .filter((name) => !state.answered.includes(name));
  const number = waiting.indexOf(asking.name) + 1;
  return { width: layout.session, height: askingHeight(layout.height), color, number, of: waiting.length };
}

/** Keys count from a moment after it came up: they are for nothing else here. */
export function withAsking(state: PanelsState, now: number): PanelsState {
  const record = questionOf(state);
  if (!record) return state.asking ? { ...state, asking: undefined } : state;
  const name = nameOf(record);
  if (state.asking?.name === name) return state;
  const listed = chosen(state);
  const question = questionFor(record.request, {
    agent: listed?.session.agent ?? '',
    canEdit: listed?.canEdit ?? false,
    canLeave: true,
  });
  return { ...state, asking: { name, question, state: { ...beginQuestion(question), armedSince: now } } };
}

/** After each picture: what came on the screen counts from now on, what is no longer on it has to come again. */
export function sawAsking(state: PanelsState, { size, color, now }: Moment): PanelsState {
  const { asking } = state;
  if (!asking) return state;
  const room = askingSize(state, size, color);
  if (!room && asking.state.quietSince === undefined) return state;
  const seen = room ? shown(asking, { ...room, now }) : { ...asking.state, quietSince: undefined };
  return seen === asking.state ? state : { ...state, asking: { ...asking, state: seen } };
}

function shown({ question, state }: Asking, look: QuestionSize & { now: number }): QuestionState {
  const fresh = state.quietSince === undefined ? { ...state, armedSince: look.now } : state;
  return sawQuestion(question, fresh, look);
}

export function askingRows(state: PanelsState, { size, color, now }: Moment): string[] {
  const room = askingSize(state, size, color);
  return state.asking && room
    ? questionRows(state.asking.question, state.asking.state, { ...room, now, isLineEmpty: true })
    : [];
}

export function recordOf(state: PanelsState, name: string): ApprovalRecord | undefined {
  return chosen(state)?.questions.find((one) => nameOf(one) === name);
}

/** When it looks different without anybody's doing. */
export function askingChangesAt({ asking, changedAt }: PanelsState, now: number): number | undefined {
  const at = asking && questionChangesAt(asking.state, { now, isLineEmpty: true });
  const fresh = changedAt + FRESH_MS;
  const times = [at, fresh > now ? fresh : undefined].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Not all of it can be seen at once. */
export function isAskingLong(state: PanelsState, size: Size, color: boolean): boolean {
  const room = askingSize(state, size, color);
  if (!state.asking || !room) return false;
  const { above, below } = layoutQuestion(state.asking.question, state.asking.state, room);
  return above + below > 0;
}
