/** Below what is asked: the keys that answer it and what each does, or the line that is typed instead. */
import stringWidth from 'fast-string-width';
import { promptFor } from '../../../consent/index.js';
import { safeLine } from '../../text/safe.js';
import { wrap } from '../../text/wrap.js';
import { inputRows } from '../input-rows.js';
import { styled } from '../styled.js';
import type { Question, QuestionState } from './question.js';

/** Columns that the frame takes. */
export const FRAME = 4;
/** Rows of what is typed in the box. */
const MOST_TYPED = 3;
const GAP = '    ';
/** Below that each row counts, and keys are named in one word. */
const LOW = 16;
const NARROW = 44;

export interface FootOptions {
  width: number;
  height: number;
  color: boolean;
  /** A key would answer it now. */
  isArmed?: boolean;
  /** Its end was there long enough. */
  isSeen?: boolean;
  /** Its end has to be looked for. */
  isLong: boolean;
  /** So many wait, this one included. */
  of: number;
}

/** As many rows whatever is armed, so that nothing jumps; what went wrong stands where else nothing does. */
export function questionFoot(question: Question, state: QuestionState, options: FootOptions): string[] {
  const { width, height, color } = options;
  const isShort = height < LOW || width < NARROW;
  const room = width - FRAME;
  const problem = (state.problem === undefined ? [] : wrap(state.problem, room)).map((row) =>
    styled(row, ['warning'], color),
  );
  const between = problem.length > 0 || isShort ? problem : [''];
  return [...between, ...stepRows(question, state, { ...options, width: room, isShort })];
}

/** What the only "always" means, where the key that takes it has the room to say so; else it stands with what is to be read. */
export function alwaysAtKey(
  { consent }: Question,
  { width, height }: { width: number; height: number },
): string | undefined {
  const [only, ...others] = consent.always;
  if (!only || others.length > 0 || height < LOW || width < NARROW) return undefined;
  const words = `always: ${safeLine(only.text)}`;
  return stringWidth(words) + KEY_COLUMNS <= width - FRAME ? words : undefined;
}

/** A letter and the air behind it. */
const KEY_COLUMNS = 3;

type RoomOptions = FootOptions & { isShort: boolean };

function stepRows(question: Question, state: QuestionState, options: RoomOptions): string[] {
  const { width, color } = options;
  const typed = (mark: string, isSecret = false) =>
    inputRows(state.own, { width, color, mark, most: MOST_TYPED, isSecret });
  const asked = question.fields[state.field];
  switch (state.step) {
    case 'choose':
      return keyRows(keysFor(question, options, alwaysAtKey(question, { ...options, width: width + FRAME })), options);
    case 'always':
      return keyRows(
        [
          { key: `1–${question.consent.always.length}`, does: 'choose, one or more', short: 'choose' },
          {
            key: 'Enter',
            does: 'always, as chosen',
            short: 'always',
            isOff: !options.isSeen || state.chosen.length === 0,
          },
          { key: 'Esc', does: 'back' },
        ],
        options,
      );
    case 'reason':
      return [
        ...typed('Why not: '),
        ...keyRows(
          [
            { key: 'Enter', does: 'no' },
            { key: 'Esc', does: 'back' },
          ],
          options,
        ),
      ];
    case 'field':
      return [
        ...(asked ? wrap(promptFor(asked).trim(), width) : []),
        ...typed('> ', asked?.type === 'secret'),
        ...keyRows(
          [
            { key: 'Enter', does: 'answer', isOff: !options.isSeen },
            { key: 'Ctrl-D', does: 'no answer' },
            { key: 'Esc', does: state.field > 0 ? 'back' : 'later', isHidden: state.field === 0 && !question.canLeave },
            { key: 'Tab', does: 'next', isHidden: options.of < 2 },
          ],
          options,
        ),
      ];
  }
}

interface KeyHint {
  key: string;
  does: string;
  /** The same where there is little room. */
  short?: string;
  isOff?: boolean | undefined;
  isHidden?: boolean | undefined;
}

function keysFor(question: Question, options: FootOptions, atKey: string | undefined): KeyHint[] {
  const { request, consent, canEdit, canLeave, canHandOver } = question;
  const { isSeen, isLong, of } = options;
  const isOff = !isSeen;
  const [after, shortAfter] = isLong ? [' (↓ to the end first)', ' (↓ first)'] : ['', ''];
  const isPlan = request.kind === 'plan';
  const isHidden = consent.missing !== undefined;
  const scopes = consent.always.length;
  const does = atKey ?? (scopes > 1 ? `always, 1 to ${scopes}` : 'always');
  const always = { key: 'a', does, short: 'always', isOff, isHidden: isHidden || scopes === 0 };
  return [
    { key: 'y', does: (isPlan ? 'go on' : 'allow once') + after, short: `yes${shortAfter}`, isOff, isHidden },
    { key: 'n', does: isPlan ? 'no, and what to change' : 'no, and say why', short: 'no' },
    { key: 'e', does: 'change it first', short: 'edit', isOff, isHidden: isHidden || !canEdit },
    ...(atKey === undefined ? [always] : []),
    { key: 'l', does: 'later', isHidden: !canLeave },
    { key: 'w', does: 'why, and all of it', short: 'why' },
    { key: 'T', does: 'in its own program', short: 'own', isHidden: !canHandOver },
    { key: 'Tab', does: 'next', isHidden: of < 2 },
    ...(atKey === undefined ? [] : [always]),
  ];
}

/** As many beside each other as fit. */
function keyRows(hints: readonly KeyHint[], { width, color, isArmed = false, isShort }: RoomOptions): string[] {
  const [gap, air] = isShort ? ['  ', ' '] : [GAP, '  '];
  const rows: string[] = [];
  let used = 0;
  for (const { key, does, short = does, isOff, isHidden } of hints) {
    if (isHidden) continue;
    const words = air + (isShort ? short : does);
    const columns = stringWidth(key) + stringWidth(words);
    const drawn =
      isOff || !isArmed ? styled(key + words, ['dim'], color) : `${styled(key, ['bold', 'accent'], color)}${words}`;
    if (used > 0 && used + gap.length + columns <= width) {
      rows[rows.length - 1] += gap + drawn;
      used += gap.length + columns;
    } else {
      rows.push(drawn);
      used = columns;
    }
  }
  return rows;
}
