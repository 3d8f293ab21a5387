/** The state of a session as a coloured mark and a word. */
import type { ShownState } from '../../../../presence/index.js';

export function StateMark({ shown: { tone }, withWord = false }: { shown: ShownState; withWord?: boolean }) {
  return (
    <span class={`state state-${tone}`}>
      <span class="dot" aria-hidden="true" />
      <span class={withWord ? '' : 'sr-only'}>{WORDS[tone]}</span>
    </span>
  );
}

/** Why somebody stopped it, or why it failed, stands at the end of the conversation. */
const WORDS: Readonly<Record<ShownState['tone'], string>> = {
  working: 'Working',
  waiting: 'Waiting for you',
  idle: 'Idle',
  parked: 'Parked',
  unknown: 'Unknown',
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
  ended: 'Ended, outcome unknown',
};
