/** Everything that waits for a person, in all sessions of the store and all processes. */
import { computed } from 'nanostores';
import { shownState } from '../../../presence/index.js';
import { askCards, byWeight, type Card, isCalling, runCards } from './card.js';
import { $putOff, isPutOff } from './later.js';
import { $parked } from './parked.js';
import { $presences, $sessions } from './sessions.js';
import { $waiting } from './waiting.js';

/** What blocks most first. */
export const $cards = computed(
  [$waiting, $sessions, $presences, $parked],
  (waiting, sessions, presences, parked): Card[] =>
    [...askCards(waiting), ...runCards(Object.values(sessions), presences, parked)].sort(byWeight),
);

/** Those that call somebody, and that nobody put off. */
export const $waitingCount = computed(
  [$cards, $putOff],
  (cards, later) => cards.filter((card) => isCalling(card) && !isPutOff(card, later)).length,
);

/** How many sessions do something now. */
export const $workingCount = computed(
  [$sessions, $presences],
  (sessions, presences) =>
    Object.values(sessions).filter((session) => shownState(session, presences[session.id]).tone === 'working').length,
);
