/** Everything that waits for a person, in all sessions of the store and all processes. */
import { computed } from 'nanostores';
import { shownState } from '../../../presence/index.js';
import { askCards, byWeight, type Card, runCards } from './card.js';
import { $presences, $sessions } from './sessions.js';
import { $putOff, $waiting } from './waiting.js';

/** What blocks most first. */
export const $cards = computed([$waiting, $sessions, $presences], (waiting, sessions, presences): Card[] =>
  [...askCards(waiting), ...runCards(Object.values(sessions), presences)].sort(byWeight),
);

/** Those that nobody put off. */
export const $waitingCount = computed([$cards, $putOff], (cards, later) => {
  const now = Date.now();
  return cards.filter(({ key }) => (later[key] ?? 0) <= now).length;
});

/** How many sessions do something now. */
export const $workingCount = computed(
  [$sessions, $presences],
  (sessions, presences) =>
    Object.values(sessions).filter((session) => shownState(session, presences[session.id]).tone === 'working').length,
);
