/** The figures at an axis of money. */

const PLAIN = [1, 2, 4, 5, 6, 8, 10];

/** What people would write at an axis, and half of it too. */
export function axisTop(usd: number): number {
  if (!(usd > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(usd));
  return (PLAIN.find((one) => one * unit >= usd) ?? 10) * unit;
}

export function tickText(usd: number): string {
  return `$${String(Number(usd.toPrecision(3))).replace(/\.\d$/, '$&0')}`;
}
