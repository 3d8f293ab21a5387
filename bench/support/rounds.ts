/**
 * Interleaved rounds: every candidate runs once per round, so that a machine that slows down slows all of them.
 * No collection is forced in between: it would throw away what the compiler has learned about the shapes of events.
 */

export interface Times<Name extends string> {
  /** Median time of a candidate, in ms. */
  ms(name: Name): number;
  /** Median over the rounds of how many times faster `name` was than `baseline` in the same round. */
  ratio(name: Name, baseline: Name): number;
}

export interface RoundOptions {
  rounds?: number;
  /** Rounds that only warm up the compiler. */
  warmUp?: number;
  /** `cpu`: what this process used on all its threads, whatever else the machine does; `wall` for work in child processes. */
  clock?: 'cpu' | 'wall';
}

export async function measureRounds<Name extends string>(
  candidates: Record<Name, () => unknown>,
  { rounds = 15, warmUp = 15, clock = 'cpu' }: RoundOptions = {},
): Promise<Times<Name>> {
  const now = clock === 'cpu' ? cpuMs : () => performance.now();
  const names = Object.keys(candidates) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const start = now();
      await candidates[name]();
      if (round >= 0) times.get(name)?.push(now() - start);
    }
  }
  const of = (name: Name) => times.get(name) ?? [];
  return {
    ms: (name) => median(of(name)),
    ratio: (name, baseline) => median(of(baseline).map((ms, round) => ms / (of(name)[round] ?? Number.NaN))),
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
