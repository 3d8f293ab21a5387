import type { Presence } from './evidence.js';

/** Whether something is there that has the session, as far as anybody can tell. */
export function isLive({ state, because }: Presence): boolean {
  if (state === 'unknown') return because.some(({ says }) => says === 'present');
  return state !== 'ended';
}
