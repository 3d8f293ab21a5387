/** The one word for a session, the same on every screen: what it does now or, once it has ended, how it did. */
import type { Presence, State } from './evidence.js';

/** What is kept of a session; `waiting` counts the questions that somebody can answer. */
export interface KeptState {
  state: 'running' | 'waiting' | 'ended';
  outcome?: string | undefined;
  waiting: number;
}

export interface ShownState {
  /** A state, or the outcome of what has ended. */
  word: string;
  /** What it means for whoever looks, which has a colour. Only what is known to have finished is `finished`. */
  tone: Exclude<State, 'ended'> | 'finished' | 'stopped' | 'failed' | 'ended';
}

/** Without a presence, what is kept tells: an agent that is at work, and not how long it was silent. */
export function shownState({ state, outcome, waiting }: KeptState, presence?: Pick<Presence, 'state'>): ShownState {
  const now = stateNow({ state, waiting }, presence?.state);
  if (now !== 'ended') return { word: now, tone: now };
  if (outcome === undefined) return { word: 'ended', tone: 'ended' };
  const isWanted = outcome === 'cancelled' || outcome === 'interrupted';
  return { word: outcome, tone: outcome === 'finished' ? 'finished' : isWanted ? 'stopped' : 'failed' };
}

function stateNow({ state, waiting }: KeptState, seen: State | undefined): State {
  // Somebody can answer it here, whatever was seen a moment ago.
  if (state !== 'ended' && waiting > 0) return 'waiting';
  if (seen !== undefined && (seen !== 'unknown' || state !== 'ended')) return seen;
  return KEPT[state];
}

const KEPT = { running: 'working', waiting: 'waiting', ended: 'ended' } as const;
