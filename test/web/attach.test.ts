/** Files beside the words: chosen, pasted or dropped, seen small, taken away, and given to the agent. */
import { expect, test } from 'vitest';
import { init, result, text } from '../fake-agent/lines.js';
import { PICTURE } from '../fake-agent/picture.js';
import { LOOKS, overflow, seriousProblems, shoot } from './axe.js';
import { useBrowser } from './browser.js';
import { useOneServer } from './one-server.js';

useBrowser();
const open = useOneServer();

const NASTY = 'a <img src=x onerror=window.hacked=1>\u202egnp.png';
const SCRIPT = [{ hear: 'image/png' }, init(), text('A blue square.'), result('A blue square.')];
const file = (name: string) => ({ name, mimeType: 'image/png', buffer: PICTURE });

/** As the browser gives it to a page: `drop` or `paste`, with a file. */
const bring = ([type, name, base64]: readonly string[]) => {
  const bytes = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name ?? '', { type: 'image/png' }));
  const field = document.querySelector('.prompt-field');
  const options = { bubbles: true, cancelable: true };
  const event =
    type === 'paste'
      ? new ClipboardEvent('paste', { ...options, clipboardData: data })
      : new DragEvent(type ?? '', { ...options, dataTransfer: data });
  field?.dispatchEvent(event);
};

test('a picture is chosen, pasted or dropped, can be taken away with the keys, and reaches the agent', async () => {
  const { page, served, problems } = await open(SCRIPT);
  const names = () => page.locator('.attached-name').allTextContents();
  await page.getByRole('button', { name: 'Attach pictures or PDFs' }).waitFor();
  await page.getByLabel('Files to attach').setInputFiles([file('one.png')]);
  await expect.poll(names).toEqual(['one.png']);
  await page.evaluate(bring, ['paste', 'two.png', PICTURE.toString('base64')] as const);
  await expect.poll(names).toEqual(['one.png', 'two.png']);
  await page.evaluate(bring, ['drop', NASTY, PICTURE.toString('base64')] as const);
  await expect.poll(async () => (await names()).at(-1)).toContain('a <img src=x onerror=window.hacked=1>');
  expect(await page.locator('.attached img').count()).toBe(3);
  await page.getByRole('button', { name: 'Remove two.png' }).press('Enter');
  await expect.poll(() => page.locator('.attached li').count()).toBe(2);
  await page.getByLabel('Prompt').fill('What is it?');
  await page.getByLabel('Prompt').press('Enter');
  await page.getByRole('heading', { name: 'What is it?', level: 1 }).waitFor();
  await page.locator('.user-message .chip').filter({ hasText: 'one.png · image/png · 1 KB' }).waitFor();
  expect(await page.locator('.user-message .chip').count()).toBe(2);
  await expect.poll(served.told).toContain(PICTURE.toString('base64'));
  expect(await page.locator('.attached').count()).toBe(0);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('what is no picture is refused in words, and a message has attachments too', async () => {
  const { page, served, play } = await open(SCRIPT.slice(1));
  const { runId, session } = await served.client.start({ agent: 'claude', prompt: 'First' });
  for await (const _ of served.client.events(runId));
  await page.goto(`${served.server.url}/s/${session}`);
  const words = { name: 'words.png', mimeType: 'image/png', buffer: Buffer.from('words') };
  await page.getByRole('button', { name: 'Attach pictures or PDFs' }).waitFor();
  await page.getByLabel('Files to attach').setInputFiles([words]);
  await page.getByRole('alert').filter({ hasText: 'words.png is no picture' }).waitFor();
  await page.getByLabel('Files to attach').setInputFiles([file('later.png')]);
  await page.locator('.attached-name').filter({ hasText: 'later.png' }).waitFor();
  await page.getByLabel('Message to the agent').fill('And this?');
  const { told } = play(SCRIPT);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.user-message .chip').filter({ hasText: 'later.png' }).waitFor();
  await expect.poll(told).toContain(PICTURE.toString('base64'));
});

test.each(LOOKS)('$name: what is attached fits, and axe finds nothing', async (look) => {
  const { page, served } = await open(SCRIPT);
  await page.setViewportSize(look.options.viewport);
  await page.emulateMedia({ colorScheme: look.options.colorScheme ?? 'light' });
  await page.goto(`${served.server.url}/new`);
  await page.getByRole('button', { name: 'Attach pictures or PDFs' }).waitFor();
  const names = ['mock of the new login page with a rather long name that does not fit.png', 'b.png', 'c.png'];
  await page.getByLabel('Files to attach').setInputFiles(names.map(file));
  await expect.poll(() => page.locator('.attached li').count()).toBe(3);
  const broken = await page
    .locator('.attached li > .faint')
    .evaluateAll((sizes) => sizes.filter(({ clientHeight }) => clientHeight > 30).length);
  expect(broken, 'sizes over two lines').toBe(0);
  await shoot(page, `attach-${look.name}`);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await seriousProblems(page, look)).toEqual([]);
});
