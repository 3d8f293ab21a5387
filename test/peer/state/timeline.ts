/** What was true and what was shown, over time, and how well the one told the other. */
import type { State } from '../../../src/presence/index.js';

export type Shown = State | 'unseen';

/** Changes of one thing, in their order. */
export interface Change<Value> {
  at: number;
  value: Value;
}

export interface Timeline {
  play: string;
  agent: string;
  truth: Change<State | undefined>[];
  shown: Change<Shown>[];
  until: number;
}

export interface Delay {
  play: string;
  agent: string;
  to: State;
  /** Undefined when it was never shown. */
  ms: number | undefined;
}

/** Who changes and who is told need a moment; what is wrong for longer counts as wrong. */
const GRACE_MS = 1000;
const STEP_MS = 50;
/** What is true is written down when a screen or an exit tells it, which is so late at most: what was shown in that time was right before. */
const LABEL_MS = 200;

/** For each change how long it took to be shown. */
export function delaysOf({ play, agent, truth, shown, until }: Timeline): Delay[] {
  return truth.flatMap(({ at, value }, index) => {
    if (value === undefined) return [];
    const next = truth[index + 1]?.at ?? until;
    const before = valueAt(shown, at);
    const seen = shown.find((one) => one.at >= at && one.at < next && one.value === value);
    const ms = before === value ? 0 : seen && seen.at - at;
    return [{ play, agent, to: value, ms }];
  });
}

/** How long which truth was shown as what, in steps, leaving out the moment after each change. */
export function confusionOf(timelines: readonly Timeline[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { truth, shown, until } of timelines) {
    truth.forEach(({ at, value }, index) => {
      if (value === undefined) return;
      const next = (truth[index + 1]?.at ?? until) - LABEL_MS;
      for (let time = at + GRACE_MS; time < next; time += STEP_MS) {
        const key = `${value} ${valueAt(shown, time) ?? 'unseen'}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    });
  }
  return counts;
}

/** Moments, however short, in which a session was shown as ended while it did something. */
export function falseEnds({ truth, shown, until }: Timeline): number {
  return shown.filter(({ at, value }, index) => {
    if (value !== 'ended' || at > until) return false;
    const end = shown[index + 1]?.at ?? until;
    return truth.some((one, position) => {
      const next = (truth[position + 1]?.at ?? until) - LABEL_MS;
      return one.value === 'working' && one.at < end && at < next;
    });
  }).length;
}

function valueAt<Value>(changes: readonly Change<Value>[], at: number): Value | undefined {
  return changes.findLast((one) => one.at <= at)?.value;
}
