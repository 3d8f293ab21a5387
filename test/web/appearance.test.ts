/** Phone and desktop, dark and light: axe finds nothing serious, and nothing sticks out. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, failure, init, result, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { LOOKS as looks, overflow, seriousProblems } from './axe.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

const input = { file_path: 'src/sum.ts', old_string: 'a - b', new_string: 'a + b' };
const script = [
  init(),
  text('# A title\n\nSome `code`, a [link](https://example.com) and\n\n```ts\nconst a = 1; // one\n```', 'm1'),
  toolUse('t1', 'Bash', { command: 'npm test' }),
  toolResult('t1', 'failed', true),
  toolUse('t2', 'Edit', input),
  ask('q1', 't2', 'Edit', input),
  { hear: 'q1' },
  toolResult('t2', 'done'),
  result('done'),
];

/** Where there is little room it lies over the page when somebody wants it. */
const showList = (page: Page) => page.getByRole('button', { name: 'Show the list' }).click();

test.each(looks)('S4-19 $name: axe finds nothing serious on any page', async (looked) => {
  const { name, options } = looked;
  const served = await servePage(script);
  const { page, problems } = await logIn(served, options);
  if (name === 'phone') await page.getByRole('link', { name: 'New session' }).click();
  await page.getByRole('heading', { name: 'What shall be done?' }).waitFor();
  expect(await seriousProblems(page, looked)).toEqual([]);
  await startSession(page);
  const allow = page.getByRole('button', { name: 'Allow once' });
  await allow.waitFor();
  await page.locator('.diff-add').first().waitFor();
  expect(await seriousProblems(page, looked)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await allow.click();
  await page.getByText('Turn done').waitFor();
  expect(await seriousProblems(page, looked)).toEqual([]);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.locator('.timeline .bar').first().waitFor();
  await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
  expect(await seriousProblems(page, looked)).toEqual([]);
  if (name === 'phone') await page.getByRole('link', { name: 'All sessions' }).click();
  if (name === 'dark') await showList(page);
  await page.getByRole('link', { name: 'Costs' }).click();
  await page.getByRole('heading', { name: 'By model' }).waitFor();
  expect(await seriousProblems(page, looked)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  expect(problems).toEqual([]);
});

const question = {
  questions: [{ question: 'Which?', header: 'Choice', multiSelect: false, options: [{ label: 'A' }, { label: 'B' }] }],
};
const thoughtful = [
  init(),
  text('1. one\n2. two\n\n- [x] done\n- [ ] open\n\n| a |\n|--:|\n| 1 |', 'm1'),
  toolUse('t1', 'TodoWrite', { todos: [{ content: 'Find it', status: 'in_progress', activeForm: 'Finding it' }] }),
  toolResult('t1', 'ok'),
  toolUse('t2', 'AskUserQuestion', question),
  ask('q1', 't2', 'AskUserQuestion', question),
  { hear: 'q1' },
  failure('Invalid API key'),
];

test.each(looks)('S4-19 $name: nor where there is nothing, something is asked, or all went wrong', async (looked) => {
  const served = await servePage(thoughtful);
  const { page, problems } = await logIn(served, looked.options);
  const look = async (path: string, words: string) => {
    await page.goto(`${served.server.url}${path}`);
    await page.getByText(words).first().waitFor();
    expect(await seriousProblems(page, looked)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };
  await look('/', looked.name === 'dark' ? 'What shall be done?' : 'No sessions yet');
  if (looked.name === 'dark') {
    await showList(page);
    await page.getByText('No sessions yet').first().waitFor();
    expect(await seriousProblems(page, looked)).toEqual([]);
  }
  await look('/cost', 'Nothing was spent yet');
  await look('/s/nothing', 'There is no such session.');
  const { session } = await served.client.start({ agent: 'claude', prompt: 'Decide it' });
  await look(`/s/${session}`, 'Answer a question');
  await page.getByRole('radio', { name: 'A' }).check();
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByText('Turn failed').waitFor();
  await look(`/s/${session}`, 'Invalid API key');
  await page.locator('.todos summary').click();
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(2);
  expect(await seriousProblems(page, looked)).toEqual([]);
  await page.goto(served.server.url);
  if (looked.name === 'dark') await showList(page);
  await page.getByLabel('Search in all sessions').fill('decide');
  await page.locator('mark').first().waitFor();
  expect(await seriousProblems(page, looked)).toEqual([]);
  expect(problems).toEqual([]);
  for (const { id } of await served.client.browsers()) await served.client.forgetBrowser(id);
  await look('/', 'This browser is not logged in');
});
