/** What of a question fits on the screen: all that has to be read is one column of rows that scrolls, the keys stand below it. */
import { consentRows } from '../../text/index.js';
import { fieldRows, reasonRows } from '../../text/question-text.js';
import type { Question, QuestionState } from './question.js';
import { alwaysAtKey, FRAME, questionFoot } from './question-foot.js';

export interface QuestionSize {
  width: number;
  /** Rows that the box may take. */
  height: number;
  color: boolean;
  /** Which of how many. */
  number: number;
  of: number;
}

export interface QuestionLayout {
  /** The rows in sight. */
  rows: readonly string[];
  top: number;
  room: number;
  /** How many rows are above and below. */
  above: number;
  below: number;
  /** The end of what has to be read is in sight. */
  isEnd: boolean;
  /** It has to be looked for. */
  isLong: boolean;
}

/** However small the terminal is. */
const LEAST_ROOM = 3;

export function layoutQuestion(question: Question, state: QuestionState, size: QuestionSize): QuestionLayout {
  const roomFor = (isLong: boolean) => size.height - 2 - questionFoot(question, state, { ...size, isLong }).length;
  const airy = contentOf(question, state, size);
  // Empty rows between are worth less than to have it all in sight.
  const tight = airy.rows.length <= roomFor(false) ? airy : contentOf(question, state, size, true);
  const { rows, must } = tight.rows.length <= roomFor(false) ? tight : airy;
  const fits = rows.length <= roomFor(false);
  const isLong = !fits && state.seenAt === undefined;
  // A row tells how much more there is.
  const room = fits ? rows.length : Math.max(LEAST_ROOM, roomFor(isLong) - 1);
  const top = Math.max(0, Math.min(state.top, rows.length - room));
  const shown = rows.slice(top, top + room);
  const below = rows.length - top - shown.length;
  return { rows: shown, top, room, above: top, below, isEnd: top + room >= must, isLong };
}

interface Content {
  rows: readonly string[];
  /** How many of them have to be read. */
  must: number;
}

interface Made {
  key: string;
  content: Content;
}

/** A difference of a megabyte is not wrapped anew for each picture. */
const made = { airy: new WeakMap<Question, Made>(), tight: new WeakMap<Question, Made>() };

function contentOf(question: Question, state: QuestionState, size: QuestionSize, isTight = false): Content {
  const { width, color } = size;
  const isAtKey = alwaysAtKey(question, size) !== undefined;
  const step = state.step === 'field' ? state.field : state.step === 'always' ? `always ${state.chosen}` : '';
  const key = `${width} ${color} ${isAtKey} ${state.isWhole} ${step}`;
  const kept = isTight ? made.tight : made.airy;
  const known = kept.get(question);
  if (known?.key === key) return known.content;
  const content = makeContent(question, state, { width: width - FRAME, color, isAtKey }, isTight ? together : joined);
  kept.set(question, { key, content });
  return content;
}

function makeContent(
  question: Question,
  { isWhole, field, step, chosen }: QuestionState,
  { isAtKey, ...look }: { width: number; color: boolean; isAtKey: boolean },
  join: typeof joined,
): Content {
  const { consent, fields, request } = question;
  const { head, facts, body, always } = consentRows(consent, { ...look, ...(step === 'always' && { chosen }) });
  const asked = fields[field];
  const parts = asked ? [fieldRows(asked, look)] : [body, consent.missing === undefined && !isAtKey ? always : []];
  const rows = join([isTitleInFrame(question, look.width) ? facts : head, ...parts]);
  return { rows: isWhole ? join([rows, reasonRows(request, look)]) : rows, must: rows.length };
}

/** The frame has the title where it fits; a title that was cut would hide what is asked. */
export function isTitleInFrame({ agent, consent }: Question, room: number): boolean {
  return agent.length + consent.title.length + TITLE_ROOM <= room;
}

/** The words around it, and the number of the question. */
const TITLE_ROOM = 20;

const together = (blocks: readonly (readonly string[])[]): string[] => blocks.flat();

/** With an empty row between them. */
function joined(blocks: readonly (readonly string[])[]): string[] {
  return blocks.filter((rows) => rows.length > 0).flatMap((rows, index) => (index === 0 ? rows : ['', ...rows]));
}
