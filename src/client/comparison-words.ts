/** An attempt of a comparison in words, the same in a terminal and on the page. */
import type { Attempt, Standing } from '../compare/index.js';

export type Tone = 'good' | 'bad' | 'plain' | 'quiet';

export interface Told {
  text: string;
  tone: Tone;
}

/** Why it ended, or what it does now. */
export function endedText({ state, end }: Pick<Attempt, 'state' | 'end'>): Told {
  if (state === 'waiting') return { text: 'waits', tone: 'quiet' };
  if (state === 'running') return { text: 'works', tone: 'plain' };
  if (state === 'not-begun') return { text: 'not begun', tone: 'quiet' };
  if (!end) return { text: state === 'cut-off' ? 'cut off' : 'unknown', tone: 'quiet' };
  if (end.reason === 'finished') return { text: 'finished', tone: 'good' };
  return { text: end.parked ? `${end.reason} (limit)` : end.reason, tone: 'bad' };
}

export function checkText({ state, check }: Pick<Attempt, 'state' | 'check'>): Told {
  if (state === 'checking') return { text: 'runs', tone: 'plain' };
  if (!check) return { text: '–', tone: 'quiet' };
  const { outcome, exitCode } = check;
  if (outcome === 'passed') return { text: 'passed', tone: 'good' };
  if (outcome === 'not-run') return { text: 'not run', tone: 'quiet' };
  if (outcome === 'timed-out') return { text: 'timed out', tone: 'bad' };
  return { text: exitCode === undefined || exitCode < 0 ? 'failed' : `failed (${exitCode})`, tone: 'bad' };
}

export function askedText({ asked, refused, end }: Pick<Attempt, 'asked' | 'refused' | 'end'>): string {
  if (!end) return '';
  return refused > 0 ? `${asked}, ${refused} refused` : String(asked);
}

export function changedText({ size }: Pick<Attempt, 'size'>): string {
  if (!size) return '';
  const { files, added, removed } = size;
  return files === 0 ? 'nothing' : `${files} file${files === 1 ? '' : 's'} +${added} -${removed}`;
}

/** What it said last, or what went wrong. */
export function remarkOn({ why, end, check, verdict }: Pick<Attempt, 'why' | 'end' | 'check' | 'verdict'>): string {
  if (why !== undefined) return why;
  if (end && end.reason !== 'finished') return end.detail ?? '';
  if (verdict === 'failed' && check?.tail !== undefined) return check.tail.split('\n').findLast(Boolean) ?? '';
  return end?.text ?? '';
}

export function passedText({ passed, known, unknown }: Pick<Standing, 'passed' | 'known' | 'unknown'>): string {
  if (known === 0) return 'unknown';
  return `${passed} of ${known}${unknown > 0 ? `, ${unknown} unknown` : ''}`;
}

export function shareText(share: number | undefined): string {
  if (share === undefined) return 'unknown';
  // What is not quite all or nothing is not told as such.
  const percent = Math.round(share * 100);
  return `${share < 1 ? Math.min(99, share > 0 ? Math.max(1, percent) : 0) : 100} %`;
}
