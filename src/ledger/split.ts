/** The grain of money: a billionth of a dollar. */
export const USD = 1e9;

/**
 * A sum in parts by weight. Each part is a whole number of grains, and they add up to the sum, rounded to
 * a grain, exactly.
 */
export function split(sum: number, weights: readonly number[], grains = 1): number[] {
  const all = weights.reduce((total, weight) => total + weight, 0);
  if (all <= 0) return weights.map((_, index) => (index === 0 ? sum : 0));
  let before = 0;
  let weighed = 0;
  const last = weights.findLastIndex((weight) => weight > 0);
  return weights.map((weight, index) => {
    weighed += weight;
    const upTo = index >= last ? sum : Math.round((sum * weighed * grains) / all) / grains;
    const part = upTo - before;
    before = upTo;
    return grains === 1 ? part : Math.round(part * grains) / grains;
  });
}
