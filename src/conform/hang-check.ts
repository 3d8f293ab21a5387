/** When a reader hangs: nothing moved for a while, or it goes on and on. Never long, so that a score is there in seconds whatever a reader does. */
export interface HangCheck extends Disposable {
  /** Resolves with why, if it hangs. */
  readonly over: Promise<string>;
}

/** A reader that moves, but slowly, gets so many times as long. */
const MOST_LIMITS = 2;
const LOOKS = 20;

/** `moved` counts what was taken and what was delivered. */
export function createHangCheck(limitMs: number, moved: () => number): HangCheck {
  let [seen, still, looks] = [moved(), 0, 0];
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<string>((resolve) => {
    timer = setInterval(() => {
      const now = moved();
      looks += 1;
      still = now === seen ? still + 1 : 0;
      seen = now;
      if (still >= LOOKS) resolve(`did nothing for ${limitMs / 1000} s`);
      else if (looks >= LOOKS * MOST_LIMITS) resolve(`was not done after ${(limitMs * MOST_LIMITS) / 1000} s`);
    }, limitMs / LOOKS);
  });
  return { over, [Symbol.dispose]: () => clearInterval(timer) };
}
