/** A session as a person follows it: words as they come, a reload in the middle, two tabs, going on, going back. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  answer,
  delta,
  init,
  interruptedResult,
  result,
  say,
  streamStart,
  text,
  toolResult,
  toolUse,
} from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

const gates = (...names: string[]) => names.map((name) => path.join(temporaryDirectory(), name));
const open = (gate = '') => writeFileSync(gate, '');

test('S4-11 text grows as it is said, a reload in the middle and a second tab lose nothing', async () => {
  const [first, second] = gates('first', 'second');
  const served = await servePage([
    init(),
    ...streamStart(),
    delta('One **fish**, '),
    { file: first },
    delta('two fish.'),
    { file: second },
    text('One **fish**, two fish.'),
    result('done'),
  ]);
  const { page, problems } = await logIn(served);
  await startSession(page);
  await page.locator('strong', { hasText: 'fish' }).waitFor();
  expect(await page.getByText('two fish.').count()).toBe(0);
  open(first);
  await page.getByText('One fish, two fish.').waitFor();

  await page.reload();
  await page.getByText('One fish, two fish.').waitFor();
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.getByText('One fish, two fish.').waitFor();
  open(second);
  for (const one of [page, tab]) {
    await one.getByText('Turn done').waitFor();
    expect(await one.getByText('One fish, two fish.').count()).toBe(1);
  }
  expect(problems).toEqual([]);
});

test('S0-29 a tool is a card with its input and output, and a failed one shows why', async () => {
  const served = await servePage([
    init(),
    toolUse('t1', 'Read', { file_path: 'src/a.ts' }),
    toolResult('t1', 'the content of a'),
    toolUse('t2', 'Bash', { command: 'exit 3' }),
    toolResult('t2', 'it went wrong', true),
    result('done'),
  ]);
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByText('it went wrong').waitFor();
  expect(await page.getByText('the content of a').count()).toBe(0);
  await page.getByRole('button', { name: /Read src\/a\.ts/ }).click();
  await page.getByText('the content of a').waitFor();
});

test('Escape interrupts, and the session can be continued afterwards', async () => {
  const served = await servePage([
    init(),
    ...streamStart(),
    delta('Working'),
    { hear: '"subtype":"interrupt"' },
    interruptedResult(),
  ]);
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByText('Working', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Interrupt' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Interrupted').first().waitFor();
  await page.getByPlaceholder('Continue this session').waitFor();
});

test('the agent is stopped altogether, and nothing of it looks as if it went on', async () => {
  const served = await servePage([init(), toolUse('t1', 'Bash', { command: 'sleep 300' }), { hang: true }]);
  const { page, problems } = await logIn(served);
  await startSession(page);
  await page.getByRole('button', { name: /Bash sleep 300/ }).waitFor();
  await page.getByRole('button', { name: 'Stop the agent' }).click();
  await page.getByLabel('Conversation').getByText('Stopped', { exact: true }).waitFor();
  await page.getByPlaceholder('Continue this session').waitFor();
  expect(await page.locator('.conversation .spinner').count()).toBe(0);
  expect((await served.client.sessions()).items[0]).toMatchObject({ state: 'ended', outcome: 'cancelled' });
  expect(problems).toEqual([]);
});

test('a picture in the output of a tool is shown', async () => {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';
  const content = [
    { type: 'text', text: 'the screen' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
  ];
  const served = await servePage([
    init(),
    toolUse('t1', 'Read', { file_path: 'screen.png' }),
    say({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content }] } }),
    result('done'),
  ]);
  const { page, problems } = await logIn(served);
  await startSession(page);
  await page.getByRole('button', { name: /Read screen\.png/ }).click();
  await page.getByRole('img', { name: 'From the agent' }).waitFor();
  await expect.poll(() => page.evaluate(`document.querySelector('.attachments img').naturalWidth`)).toBe(10);
  expect(problems).toEqual([]);
});

test('a follow-up becomes part of the same session', async () => {
  const served = await servePage(answer('Here you are.'));
  const { page } = await logIn(served);
  await startSession(page, 'Begin');
  await page.getByPlaceholder('Continue this session').fill('And now the docs');
  await page.keyboard.press('Enter');
  await page.getByText('And now the docs').last().waitFor();
  await expect.poll(() => page.getByText('Here you are.').count()).toBe(2);
  expect((await served.client.sessions()).items).toHaveLength(1);
});

test('a hit of the search leads to the place where it was found, and marks it', async () => {
  const filler = Array.from({ length: 40 }, (_, index) => text(`Paragraph ${index}`, `m${index}`));
  const output = `${'word '.repeat(3000)}pelican ${'word '.repeat(300)}`;
  const served = await servePage([
    init(),
    text('One **pelican** sits here.', 'early'),
    toolUse('t1', 'Read', { file_path: 'birds.txt' }),
    toolResult('t1', output),
    ...filler,
    result('done'),
  ]);
  const { page, problems } = await logIn(served);
  await startSession(page, 'Which bird?');
  await page.getByText('Turn done').waitFor();
  const conversation = page.getByLabel('Conversation');
  expect(await conversation.getByText('sits here').count()).toBe(0);
  await page.getByLabel('Search in all sessions').fill('Pelican');
  const hits = page.locator('.snippet');
  await hits.nth(1).waitFor();
  const marked = () => page.evaluate(`[...(CSS.highlights.get('found') ?? [])].map(String)`);

  await hits.filter({ hasText: 'sits here' }).click();
  await conversation.getByText('sits here').waitFor();
  await expect.poll(marked).toEqual(['pelican']);
  // Far down in an output that is folded away and cut.
  await hits.filter({ hasText: 'word' }).click();
  await expect.poll(marked).toEqual(['pelican']);
  await expect.poll(() => page.evaluate(isMarkSeen)).toBe(true);
  await page.reload();
  await expect.poll(marked).toEqual(['pelican']);
  expect(problems).toEqual([]);
});

/** In the page: not only on the screen, but also not scrolled away in a box of its own. */
const isMarkSeen = `(() => {
  const [range] = CSS.highlights.get('found') ?? [];
  const { x, y, width, height } = range.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2)?.contains(range.startContainer) ?? false;
})()`;

test('what was said is found, and the session can be taken along as a file', async () => {
  const served = await servePage(answer('The answer is a pelican.'));
  const { page } = await logIn(served);
  await startSession(page, 'Which bird?');
  await page.getByPlaceholder('Continue this session').waitFor();
  await page.getByLabel('Conversation').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('pelican');
  await page.locator('mark', { hasText: 'pelican' }).waitFor();
  await page.locator('mark').first().click();
  await page.getByLabel('Conversation').getByText('The answer is a pelican.').waitFor();
  for (const [name, ending] of [
    ['As a web page (HTML)', '.html'],
    ['As Markdown', '.md'],
  ] as const) {
    await page.getByLabel('Export').click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name }).click();
    expect((await download).suggestedFilename()).toMatch(new RegExp(`^glassbox-.*\\${ending}$`));
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('The answer is a pelican.');
    await page.getByLabel('Conversation').focus();
  }
});

test('it stays at the end until the reader scrolls up', async () => {
  const [more] = gates('more');
  const lines = Array.from({ length: 60 }, (_, index) => text(`Paragraph ${index}`, `m${index}`));
  const served = await servePage([init(), ...lines, { file: more }, text('The newest words', 'new'), result('done')]);
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByText('Paragraph 59').waitFor();
  await page.getByLabel('Conversation').hover();
  await page.mouse.wheel(0, -1500);
  const jump = page.getByRole('button', { name: 'Newest' });
  await jump.waitFor();
  open(more);
  await page.getByText('Done', { exact: true }).first().waitFor();
  expect(await page.getByText('The newest words').isVisible()).toBe(false);
  await jump.click();
  await page.getByText('The newest words').waitFor();
  await jump.waitFor({ state: 'detached' });
});
