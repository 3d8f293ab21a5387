/** Work by key: what has the same key is done one after the other, in order; different keys do not wait for each other. */
export interface Queue {
  add<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** The same, unless such work waits already: then that is enough. */
  once(key: string, work: () => Promise<void>): void;
  /**
   * For work within work: does it at once, in the turn of whoever asks, who would else wait for a turn while having one. Undefined, and nothing is
   * done, while anything of this key waits or is under way.
   */
  within<Result>(key: string, work: () => Promise<Result>): Promise<Result> | undefined;
  /** Resolves when nothing waits or is under way. */
  idle(): Promise<void>;
}

/** So much is begun at a time; more would only be in memory longer. */
const AT_ONCE = 4;

export function createQueue(): Queue {
  const lasts = new Map<string, Promise<unknown>>();
  const waiting = new Set<string>();
  const turns: (() => void)[] = [];
  let going = 0;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (going >= AT_ONCE) await new Promise<void>((resolve) => turns.push(resolve));
    going += 1;
    try {
      return await work();
    } finally {
      going -= 1;
      turns.shift()?.();
    }
  }

  function add<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = lasts.get(key) ?? Promise.resolve();
    return remember(
      key,
      before.then(() => inTurn(work)),
    );
  }

  function remember<Result>(key: string, result: Promise<Result>): Promise<Result> {
    const last = result.then(
      () => {},
      () => {},
    );
    lasts.set(key, last);
    void last.then(() => {
      if (lasts.get(key) === last) lasts.delete(key);
    });
    return result;
  }

  return {
    add,
    within: (key, work) => (lasts.has(key) ? undefined : remember(key, work())),
    once(key, work) {
      if (waiting.has(key)) return;
      waiting.add(key);
      void add(key, () => {
        waiting.delete(key);
        return work();
      });
    },
    async idle() {
      while (lasts.size > 0) await Promise.all(lasts.values());
    },
  };
}
