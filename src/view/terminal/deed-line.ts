/** One deed of an agent as a line: a mark, what it is called, what it is about, and at the end how long, how much and by whose leave. */
import stringWidth from 'fast-string-width';
import { cutToWidth } from '../text/cut-to-width.js';
import { safeLine } from '../text/safe.js';
import { type Look, MEASURE, styled } from './styled.js';

/** At the end of the line. */
export interface Fact {
  text: string;
  /** The lower this is, the sooner it leaves a narrow line; without it, last. */
  leaves?: 0 | 1;
}

/** How much of a file changed. */
export interface Sums {
  added: number;
  removed: number;
}

export const NO_SUMS: Sums = { added: 0, removed: 0 };

interface DeedOptions {
  width: number;
  /** Columns to its left that are not its own. */
  indent?: number;
  color: boolean;
  isPlain?: boolean;
}

/** One deed. */
export interface Deed {
  mark: string;
  look: Look;
  /** The mark, for who listens. */
  word: string;
  called: string;
  about: string;
  sums?: Sums;
  facts: readonly Fact[];
  /** It goes on, or waits: what is over is quieter than what is said. */
  isAlive?: boolean;
}

/** What it is about is worth more columns than what stands behind it. */
const LEAST_ABOUT = 16;

/** It is never wider than the screen, and its end stands no farther than eyes go. */
export function deedLine(
  { sums = NO_SUMS, ...deed }: Deed,
  { width, indent = 0, color, isPlain }: DeedOptions,
): string {
  const { mark, look, word, called, about, isAlive = false } = deed;
  const name = cutToWidth(safeLine(called, 60), Math.max(8, width - 2));
  const changed = sumsText(sums);
  // Who listens hears all of it, however wide.
  if (isPlain)
    return [`${word}: ${name} ${about}${changed}`.trimEnd(), factsText(deed.facts, ', ')].filter(Boolean).join(', ');
  const before = 2 + stringWidth(name);
  const wanted = about === '' ? 0 : 1 + Math.min(LEAST_ABOUT, stringWidth(about)) + stringWidth(changed);
  const facts = fitting(deed.facts, width - before - wanted - 2, width - before - 1);
  const room = width - before - 1 - stringWidth(changed) - (facts === '' ? 0 : stringWidth(facts) + 2);
  const shown = room < 4 ? '' : cutToWidth(about, room);
  const end = shown === '' ? '' : changed;
  const used = before + (shown === '' ? 0 : 1 + stringWidth(shown) + stringWidth(end));
  const edge = Math.max(Math.min(width, MEASURE - indent), Math.min(width, used + stringWidth(facts) + 2));
  const gap = ' '.repeat(Math.max(1, edge - used - stringWidth(facts)));
  const object =
    shown === '' ? '' : ` ${styled(shown, isAlive ? [] : ['dim'], color)}${end === '' ? '' : paintedSums(sums, color)}`;
  const head = `${styled(mark, [look], color)} ${styled(name, isAlive ? ['bold'] : [], color)}${object}`;
  return facts === '' ? head : `${head}${gap}${styled(facts, ['dim'], color)}`;
}

const paintedSums = ({ added, removed }: Sums, color: boolean): string =>
  `  ${styled(`+${added}`, added > 0 ? ['good'] : ['dim'], color)} ${styled(`−${removed}`, removed > 0 ? ['bad'] : ['dim'], color)}`;

/** As many as leave room for what it is about; of those that do not leave, all or nothing. */
function fitting(facts: readonly Fact[], room: number, most: number): string {
  let left = [...facts];
  for (const leaving of [0, 1]) {
    if (stringWidth(factsText(left)) <= room) break;
    left = left.filter(({ leaves }) => leaves !== leaving);
  }
  return stringWidth(factsText(left)) <= most ? factsText(left) : '';
}

export const sumsText = ({ added, removed }: Sums): string => (added + removed > 0 ? `  +${added} −${removed}` : '');

export const factsText = (facts: readonly Fact[], between = ' · '): string =>
  facts.map(({ text }) => text).join(between);
