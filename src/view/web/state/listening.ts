/**
 * Which pages of a browser hear of all sessions: those that somebody looks at, and one of the others, which tells them how much waits. A browser has six
 * connections to a server for all of its pages together; when each page keeps one, the seventh page never loads.
 */
import { atom } from 'nanostores';

const NAME = 'glassbox-listening';

/** Of those that nobody looks at, the one that listens for all. It stays so until it is closed. */
let isEar = typeof navigator.locks === 'undefined';
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);
const changes = new EventTarget();

/** How much waits, as the page that listens says; absent where this one hears it itself. */
export const $told = atom<number | undefined>();
/** Counts how often this page heard of everything: who begins to listen says what it found, also where that is what it knew. */
export const $heard = atom(0);

const isNeeded = () => isEar || !document.hidden;

export function watchListening(): void {
  const look = () => changes.dispatchEvent(new Event('change'));
  document.addEventListener('visibilitychange', look);
  channel?.addEventListener('message', ({ data }) => {
    if (!isNeeded() && Number.isSafeInteger(data)) $told.set(data);
  });
  void navigator.locks?.request(NAME, () => {
    isEar = true;
    look();
    return new Promise<never>(() => {});
  });
}

/** What this page heard, for those that hear nothing. */
export function tellWaiting(count: number): void {
  if (isEar) channel?.postMessage(count);
}

/** Resolves when this page has to listen, with what says that it no longer has to. */
export async function untilNeeded(): Promise<AbortSignal> {
  const stop = new AbortController();
  await until(isNeeded);
  void until(() => !isNeeded()).then(() => stop.abort());
  return stop.signal;
}

function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      changes.removeEventListener('change', look);
      resolve();
    };
    changes.addEventListener('change', look);
    look();
  });
}
