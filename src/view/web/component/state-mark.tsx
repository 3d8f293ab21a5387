/** The state of a session as a coloured mark and a word. */
import type { SessionRecord } from '../../../client/index.js';

export type Mood = 'running' | 'waiting' | 'stalled' | 'failed' | 'done' | 'stopped';

const WORDS: Record<Mood, string> = {
  running: 'Running',
  waiting: 'Waiting for you',
  stalled: 'Stalled',
  failed: 'Failed',
  done: 'Done',
  stopped: 'Stopped',
};

/** A run that says nothing for so long is worth a look. */
const SILENT_MS = 5 * 60_000;

export function moodOf({ state, outcome, updatedAt, waiting }: SessionRecord, now: number): Mood {
  if (state === 'ended') {
    if (outcome === undefined || outcome === 'finished') return 'done';
    if (outcome === 'stalled') return 'stalled';
    return outcome === 'cancelled' || outcome === 'interrupted' ? 'stopped' : 'failed';
  }
  if (state === 'waiting' || waiting > 0) return 'waiting';
  return now - updatedAt > SILENT_MS ? 'stalled' : 'running';
}

export function StateMark({ mood, withWord = false }: { mood: Mood; withWord?: boolean }) {
  return (
    <span class={`state state-${mood}`}>
      <span class="dot" aria-hidden="true" />
      <span class={withWord ? '' : 'sr-only'}>{WORDS[mood]}</span>
    </span>
  );
}
