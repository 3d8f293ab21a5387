/** The time of a folder, cut at the moments at which its files are kept, and who was at work in each part of it. */
import type { RewindRef, TurnRef } from './maker.js';

/** When a turn began or ended, as its checkpoint says. */
export interface Mark {
  at: number;
  turn: TurnRef;
  moment: 'before' | 'after';
  /** The files at that moment; absent where they are not kept. */
  commit?: string | undefined;
  /** They may hold a part of what came after. */
  isLate?: boolean | undefined;
}

/** Work of which only the time is known. */
export interface Work {
  turn: TurnRef;
  from: number;
  /** Absent while it goes on, or where nobody knows. */
  to?: number | undefined;
}

/** Files that were taken back: known before and after it, so nobody else did anything between. */
export interface RewindMark extends RewindRef {
  before: string;
  after: string;
}

export interface Span {
  from: string;
  to: string;
  /** Ms since the epoch. */
  begin: number;
  end: number;
  turns: readonly TurnRef[];
  isPartlyOutside: boolean;
  /** The turn that had ended last when it began. */
  last?: TurnRef | undefined;
  rewind?: RewindRef | undefined;
}

/** `now`: the files as they are, if the last span shall end with them; otherwise it ends with the last mark. */
export function spansOf(
  marks: readonly Mark[],
  works: readonly Work[],
  rewinds: readonly RewindMark[],
  now?: { commit: string; at: number },
): Span[] {
  const news = newsOf(marks, works, rewinds);
  const spans: Span[] = [];
  const open = new Map<string, TurnRef>();
  let begun: { commit: string; at: number; last: TurnRef | undefined } | undefined;
  let seen = new Map<string, TurnRef>();
  let wasEmpty = true;
  let last: TurnRef | undefined;
  const cut = (commit: string, at: number, rewind?: RewindRef) => {
    if (begun)
      spans.push({
        from: begun.commit,
        to: commit,
        begin: begun.at,
        end: at,
        turns: [...seen.values()],
        isPartlyOutside: wasEmpty,
        last: begun.last,
        ...(rewind && { rewind }),
      });
    begun = { commit, at, last };
    seen = new Map(open);
    wasEmpty = open.size === 0;
  };
  for (const { at, opens, closes, commit, isLate, rewind } of news) {
    if (rewind) {
      const { before, after, ...ref } = rewind;
      cut(before, at);
      cut(after, at, ref);
    }
    // What was late is no boundary, but where everything begins: there its turn is at work already.
    const isCut = commit !== undefined && (!isLate || begun === undefined);
    if (opens && isCut && !isLate) cut(commit, at);
    if (opens) {
      open.set(keyOf(opens), opens);
      seen.set(keyOf(opens), opens);
    }
    if (opens && isCut && isLate) cut(commit, at);
    if (closes) {
      open.delete(keyOf(closes));
      last = closes;
      if (isCut) cut(commit, at);
    }
    wasEmpty ||= open.size === 0;
    // A boundary at which a turn begins has nobody at work for no time at all.
    if (opens && isCut) wasEmpty = false;
  }
  if (now) cut(now.commit, now.at);
  return spans;
}

interface News {
  at: number;
  opens?: TurnRef;
  closes?: TurnRef;
  commit?: string | undefined;
  isLate?: boolean | undefined;
  rewind?: RewindMark;
}

function newsOf(marks: readonly Mark[], works: readonly Work[], rewinds: readonly RewindMark[]): News[] {
  const news = marks.map(
    ({ at, turn, moment, commit, isLate }): News =>
      moment === 'before' ? { at, opens: turn, commit, isLate } : { at, closes: turn, commit, isLate },
  );
  for (const { turn, from, to } of works) {
    news.push({ at: from, opens: turn });
    if (to !== undefined) news.push({ at: to, closes: turn });
  }
  for (const rewind of rewinds) news.push({ at: rewind.at, rewind });
  // At the same moment what ends is over before something begins.
  return news.sort(
    (one, other) => one.at - other.at || Number(one.opens !== undefined) - Number(other.opens !== undefined),
  );
}

const keyOf = ({ runId, turn }: TurnRef): string => `${runId} ${turn}`;
