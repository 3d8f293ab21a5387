/** What is known of the sessions that a limit of the account stopped: when it ends, and whether they go on by themselves. */
import { atom, computed } from 'nanostores';
import type { ParkedSession, Presence } from '../../../client/index.js';
import { client } from './server.js';
import { $presences } from './sessions.js';

/** By short id of the session. */
export const $parked = atom<Readonly<Record<string, ParkedSession>>>({});

/** Another text when one is parked, goes on, or is to go on at another moment. */
const $evidence = computed($presences, evidenceOf);

export function watchParked(): void {
  $evidence.subscribe((evidence) => {
    if (evidence === '') return $parked.set({});
    void client.parked().then(
      (all) => {
        if ($evidence.get() === evidence) $parked.set(Object.fromEntries(all.map((one) => [one.session, one])));
      },
      // They stay cards, without what can be done.
      () => undefined,
    );
  });
}

function evidenceOf(presences: Readonly<Record<string, Presence>>): string {
  const parked = Object.entries(presences).filter(([, { state }]) => state === 'parked');
  return parked.map(([id, { until, because }]) => [id, until, because[0]?.text].join(' ')).join('\n');
}
