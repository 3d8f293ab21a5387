/** A session of thousands of events: its end is there first, then all of it, and its picture leads into it. */
import { expect, test } from 'vitest';
import type { AgentEvent, Draft } from '../../src/event/index.js';
import type { Store } from '../../src/store/index.js';
import { logIn, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

const STEPS = 1500;

/** What an event says, without what every event carries. */
type Body = Draft extends infer Union ? (Union extends Draft ? Omit<Union, 'turn'> : never) : never;

test('the end of a long session is read first, then what came before', async () => {
  const served = await servePage([]);
  const id = await keep(served.store, [{ type: 'user-message', text: 'A long way' }, ...steps()]);
  const { page, problems } = await logIn(served);
  await page.goto(`${served.server.url}/s/${id}`);
  const conversation = page.getByLabel('Conversation');
  await conversation.getByText(`Step ${STEPS - 1} is done`).waitFor();
  await page.getByText('Loading what came before').waitFor({ state: 'detached' });
  await conversation.getByText(`Step ${STEPS - 1} is done`).waitFor();
  await conversation.focus();
  await page.keyboard.press('Home');
  await conversation.getByText('A long way').waitFor();
  await conversation.getByText('Step 0 is done').waitFor();
  await expect.poll(() => conversation.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await page.getByRole('button', { name: 'Newest' }).click();
  await conversation.getByText(`Step ${STEPS - 1} is done`).waitFor();
  expect(problems).toEqual([]);
});

test('a long session that goes on is followed from the first moment', async () => {
  const served = await servePage([]);
  const id = await keep(served.store, steps(), { isEnded: false });
  const { page } = await logIn(served);
  await page.goto(`${served.server.url}/s/${id}`);
  const conversation = page.getByLabel('Conversation');
  await conversation.getByText(`Step ${STEPS - 1} is done`).waitFor();
  await append(served.store, [text('new', 'Something new')], 4 * STEPS);
  await conversation.getByText('Something new').waitFor();
  await page.getByText('Loading what came before').waitFor({ state: 'detached' });
  expect(await conversation.getByText('Something new').count()).toBe(1);
});

test('the picture of it is zoomed, and a bar leads to its row', async () => {
  const served = await servePage([]);
  const id = await keep(served.store, steps());
  const { page, problems } = await logIn(served);
  await page.goto(`${served.server.url}/s/${id}/timeline`);
  const several = page.getByRole('button', { name: /steps, press to zoom in/ });
  await several.first().waitFor();
  expect(await page.locator('.timeline .bar').count()).toBeLessThan(500);
  const picture = page.getByRole('group', { name: /plus and minus/ });
  const bar = page.getByRole('link', { name: /^Tool: Read: src\/\d+\.ts/ });
  await picture.focus();
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('+');
  await bar.nth(2).waitFor();
  await several.waitFor({ state: 'detached' });
  let file = '';
  // The picture may still be on its way to where it was zoomed: the bar that is clicked is the one that was read.
  const clickOne = async () => {
    const one = await bar.nth(2).elementHandle();
    file = /src\/\d+\.ts/.exec((await one?.getAttribute('aria-label')) ?? '')?.[0] ?? '';
    return one?.click({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(clickOne).toBe(true);
  await page.locator('.row.is-found', { hasText: file }).waitFor();
  expect(problems).toEqual([]);
});

test('a hit anywhere in fifty thousand events is reached, and stays on the screen', async () => {
  const served = await servePage([]);
  const bodies = [...steps(12_500), text('last', 'The xylophone is the last word.')];
  const id = await keep(served.store, bodies);
  const { page, problems } = await logIn(served);
  await page.goto(`${served.server.url}/s/${id}`);
  for (const [words, row] of [
    ['xylophone', 'The xylophone is the last word.'],
    ['"step 4002"', 'Step 4002 is done'],
    ['"step 12000"', 'Step 12000 is done'],
    ['"step 7"', 'Step 7 is done'],
  ] as const) {
    await page.getByLabel('Search in all sessions').fill(words);
    await page.locator('.snippet', { hasText: row }).first().click();
    const found = page.locator('.row.is-found', { hasText: row });
    await found.waitFor();
    await page.getByText('Loading what came before').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(isOnScreen)).toBe(true);
    expect(await page.evaluate(`[...CSS.highlights.get('found')].length`)).toBeGreaterThan(0);
  }
  expect(problems).toEqual([]);
});

/** In the page. */
const isOnScreen = `(() => {
  const { top, bottom } = document.querySelector('.row.is-found').getBoundingClientRect();
  return top >= 0 && bottom <= document.documentElement.clientHeight;
})()`;

function* steps(count = STEPS): Generator<Body> {
  for (let step = 0; step < count; step += 1) {
    yield { type: 'tool-start', id: `t${step}`, name: 'Read', kind: 'read' };
    yield { type: 'tool-input-end', id: `t${step}`, input: {}, summary: `src/${step}.ts` };
    yield { type: 'tool-end', id: `t${step}`, status: 'ok', output: 'text' };
    yield text(`m${step}`, `Step ${step} is done`);
  }
}

function text(messageId: string, words: string): Body {
  return { type: 'text-end', messageId, index: 0, text: words };
}

async function keep(store: Store, bodies: Iterable<Body>, { isEnded = true } = {}): Promise<string> {
  await store.startRun({ runId: 'long', agent: 'claude', startedAt: Date.now() });
  await append(store, bodies);
  if (isEnded) await store.endRun('long');
  return (await store.session('long'))?.id ?? '';
}

/** One event a second. */
async function append(store: Store, bodies: Iterable<Body>, after = 0): Promise<void> {
  const start = Date.now() - 10_000_000;
  const stamp = (body: Body, index: number) => {
    const seq = after + index + 1;
    return { source: 'stream', turn: 1, ...body, runId: 'long', agent: 'claude', seq, at: start + seq * 1000 };
  };
  await store.append(Array.from(bodies, (body, index) => stamp(body, index) as AgentEvent));
}
