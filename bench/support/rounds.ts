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
}

export async function measureRounds<Name extends string>(
  candidates: Record<Name, () => unknown>,
  { rounds = 15, warmUp = 15 }: RoundOptions = {},
): Promise<Times<Name>> {
  const names = Object.keys(candidates) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now();
      await candidates[name]();
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
  const of = (name: Name) => times.get(name) ?? [];
  return {
    ms: (name) => median(of(name)),
    ratio: (name, baseline) => median(of(baseline).map((ms, round) => ms / (of(name)[round] ?? Number.NaN))),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
