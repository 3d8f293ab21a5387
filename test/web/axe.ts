/** What axe finds on a page that hurts somebody, and whether anything sticks out of it, as it is looked at. */
import axe from 'axe-core';
import type { Page, ViewportSize } from 'playwright-core';

/** What is looked at again where only the colours, or only the size, are others. */
export interface Look {
  name: string;
  options: { colorScheme?: 'light' | 'dark'; hasTouch?: boolean; viewport: ViewportSize };
  only?: string[];
  without?: string[];
}

const CONTRAST = ['color-contrast'];

export const LOOKS: Look[] = [
  { name: 'light', options: { colorScheme: 'light', viewport: { width: 1440, height: 900 } } },
  { name: 'dark', options: { colorScheme: 'dark', viewport: { width: 820, height: 1100 } }, only: CONTRAST },
  { name: 'phone', options: { viewport: { width: 390, height: 780 }, hasTouch: true }, without: CONTRAST },
];

/** What axe finds is chosen in the page: all that it looked at, put into words, would take longer than looking. */
export async function seriousProblems(page: Page, { only, without = [] }: Partial<Look> = {}): Promise<string[]> {
  // What is still fading in has the contrast of a moment.
  await page.evaluate(`for (const animation of document.getAnimations()) {
    if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
  }`);
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe.source);
  const options = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    ...(only && { runOnly: { type: 'rule', values: only } }),
  };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}

/** By how much the page itself could be scrolled, in any direction: what is long scrolls inside of it. */
export const overflow = (page: Page) =>
  page.evaluate(`Math.max(...[document.documentElement, document.body].flatMap((one) => [
    one.scrollWidth - one.clientWidth,
    one.scrollHeight - one.clientHeight,
  ]))`);

/** For whoever wants to look: `GLASSBOX_TEST_SHOTS=/tmp/shots npx vitest run test/web`. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.GLASSBOX_TEST_SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' });
}
