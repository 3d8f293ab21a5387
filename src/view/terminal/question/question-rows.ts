/** A question as a box of rows: what is asked in its frame, all that has to be read in it, and the keys. Pure, and never higher than it may be. */
import stringWidth from 'fast-string-width';
import { endingAt } from '../../text/column.js';
import { cutToWidth } from '../../text/cut-to-width.js';
import { safeLine } from '../../text/safe.js';
import { styled } from '../styled.js';
import { isArmed, isSeen, type Question, type QuestionState, type Readiness, takesOneKey } from './question.js';
import { FRAME, questionFoot } from './question-foot.js';
import { isTitleInFrame, layoutQuestion, type QuestionSize } from './question-layout.js';

export function questionRows(question: Question, state: QuestionState, options: QuestionSize & Readiness): string[] {
  const { width, color, number, of, now } = options;
  const ready = isArmed(state, options);
  const { rows, above, below, isLong } = layoutQuestion(question, state, options);
  const inner = [
    ...rows,
    ...(above + below > 0 ? [styled(hidden(above, below, width - FRAME), ['dim'], color)] : []),
    ...questionFoot(question, state, { ...options, isArmed: ready, isSeen: isSeen(state, now), isLong }),
  ];
  const border = (text: string) => styled(text, ['warning'], color);
  const title = titleOf(question, width);
  return [
    rule('╭', title, of > 1 ? `${number} of ${of}` : '', '╮', options),
    ...inner.map((row) => endingAt(`${border('│')} ${filled(row, width - FRAME)} `, border('│'), width)),
    rule('╰', '', readyText(question, state, options, ready), '╯', options),
  ];
}

/** Whether a key answers it now, in words: colour alone would not tell everybody. */
function readyText(
  { fields }: Question,
  state: QuestionState,
  { isLineEmpty, now }: Readiness,
  ready: boolean,
): string {
  const { quietSince, armedSince, seenAt } = state;
  const isNew = seenAt !== undefined && !isSeen(state, now);
  const field = state.step === 'field' ? fields[state.field] : undefined;
  const isKey = state.step === 'choose' || (field !== undefined && takesOneKey(field) && state.own.text === '');
  if (ready && !isNew) return isKey ? 'one key answers' : 'Enter answers';
  const isSoon = isLineEmpty || quietSince === undefined || armedSince !== undefined;
  return isSoon ? 'a moment' : 'Tab, then a key answers';
}

function titleOf(question: Question, width: number): string {
  const agent = safeLine(question.agent, 30);
  return isTitleInFrame(question, width - FRAME) ? `${agent}: ${safeLine(question.consent.title)}` : `${agent} asks`;
}

function rule(left: string, begin: string, end: string, right: string, { width, color }: QuestionSize): string {
  const [first, last] = [begin && ` ${cutToWidth(begin, width - FRAME)} `, end && ` ${end} `];
  const line = '─'.repeat(Math.max(0, width - 2 - stringWidth(first) - stringWidth(last)));
  const frame = (text: string) => styled(text, ['warning'], color);
  const drawn = styled(first, ['bold', 'warning'], color) + frame(line) + styled(last, ['dim'], color);
  return endingAt(frame(left) + drawn, frame(right), width);
}

function hidden(above: number, below: number, room: number): string {
  const some = [above > 0 && `↑ ${above} above`, below > 0 && `↓ ${below} more`].filter(Boolean).join(' · ');
  const all = `${some} · Space shows more`;
  return below === 0 || stringWidth(all) > room ? cutToWidth(some, room) : all;
}

/** Tabs would be as wide as the terminal likes. */
function filled(row: string, width: number): string {
  const text = row.replaceAll('\t', '        ');
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
