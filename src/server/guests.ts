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

export const GUEST_MS = 120_000;
/** Whoever asks for more of them than anybody looks at loses the oldest. */
export const MOST_GUEST_LINKS = 4;

export function createGuests(now: () => number = Date.now) {
  const codes = new Map<string, number>();
  const outside = new Map<string, Guest & { answer(isLetIn: boolean): void }>();
  const forgetOld = () => {
    for (const [code, endsAt] of codes) if (endsAt <= now() || codes.size > MOST_GUEST_LINKS) codes.delete(code);
  };
  return {
    createCode() {
      const code = createCode();
      const endsAt = now() + GUEST_MS;
      codes.set(code, endsAt);
      forgetOld();
      return { code, endsAt };
    },
    waiting: (): Guest[] => [...outside.values()].map(({ answer: _, ...guest }) => guest),
    admit(id: string, isLetIn: boolean): boolean {
      const guest = outside.get(id);
      guest?.answer(isLetIn);
      return guest !== undefined;
    },
    async ask(
      said: string,
      mac: string,
      { name, pageKey }: { name: string; pageKey: string },
    ): Promise<boolean | undefined> {
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
