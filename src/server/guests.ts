/**
 * Browsers that come by a picture which anybody near the screen could have seen too: its code lives two minutes and works once, and who comes with
 * it waits outside until somebody who is in agrees.
 */
import { createCode, guestMark, isMac, randomText } from '../proof/index.js';

export interface Guest {
  id: string;
  /** What people call the browser. */
  name: string;
  /** Four digits that the guest's own screen shows too. */
  mark: string;
  since: number;
}

export interface Guests {
  createCode(): { code: string; endsAt: number };
  waiting(): Guest[];
  /** False when nobody of this id waits any more. */
  admit(id: string, isLetIn: boolean): boolean;
  /** Absent when the code is none of these; otherwise whether somebody agreed, which may take until the code has ended. */
  ask(said: string, mac: string, from: { name: string; pageKey: string }): Promise<boolean | undefined>;
}

export const GUEST_MS = 120_000;
/** Whoever asks for more of them than anybody looks at loses the oldest. */
const MOST_CODES = 4;

export function createGuests(now: () => number = Date.now): Guests {
  const codes = new Map<string, number>();
  const outside = new Map<string, Guest & { answer(isLetIn: boolean): void }>();
  const forgetOld = () => {
    for (const [code, endsAt] of codes) if (endsAt <= now() || codes.size > MOST_CODES) codes.delete(code);
  };
  return {
    createCode() {
      const code = createCode();
      const endsAt = now() + GUEST_MS;
      codes.set(code, endsAt);
      forgetOld();
      return { code, endsAt };
    },
    waiting: () => [...outside.values()].map(({ answer: _, ...guest }) => guest),
    admit(id, isLetIn) {
      const guest = outside.get(id);
      guest?.answer(isLetIn);
      return guest !== undefined;
    },
    async ask(said, mac, { name, pageKey }) {
      forgetOld();
      for (const [code, endsAt] of codes) {
        if (!(await isMac(code, said, mac)) || !codes.delete(code)) continue;
        const guest: Guest = { id: randomText(), name, mark: await guestMark(pageKey), since: now() };
        return new Promise((resolve) => {
          const answer = (isLetIn: boolean) => {
            clearTimeout(timer);
            outside.delete(guest.id);
            resolve(isLetIn);
          };
          const timer = setTimeout(() => answer(false), endsAt - now());
          timer.unref();
          outside.set(guest.id, { ...guest, answer });
        });
      }
      return undefined;
    },
  };
}
