/** All changes of a session as one difference: true numbers, honest states, what was seen, and the way back. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { git, write } from '../checkpoint/repository.js';
import { init, result, type Step, say, toolResult, toolUse } from '../fake-agent/lines.js';
import { LOOKS, type Look, overflow, seriousProblems, shoot } from './axe.js';
import { useBrowser } from './browser.js';
import { useOneServer } from './one-server.js';
import { edited, openReview } from './reviewed.js';
import type { ServedPage } from './serve-page.js';

useBrowser();
let isKeeping = true;
const open = useOneServer({ keepsFiles: async () => isKeeping });
const review = (turns: readonly Step[][], files?: Record<string, string>, look?: Look) =>
  openReview(open, turns, files, look);

/** As on another machine: nobody here knows of the files. */
async function unkept({ client }: ServedPage): Promise<string> {
  isKeeping = false;
  onTestFinished(() => {
    isKeeping = true;
  });
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  for await (const _ of client.events(runId));
  return session;
}

const headOf = (page: Page, name: string) => page.locator('.review-list .file-head').filter({ hasText: name });
const lineOf = (page: Page, words: string) => page.locator('.review-line').filter({ hasText: words });

test('one difference with true numbers, colours and changed words; by turn; what was seen until it changes again', async () => {
  const { page, root, problems } = await review(
    [[{ files: { 'src/a.ts': edited(40), 'src/new.txt': 'one\n' } }], [{ files: { 'src/a.ts': edited(40, 55) } }]],
    { 'src/a.ts': edited() },
  );
  const line = lineOf(page, 'value39').filter({ hasText: 'another' });
  await line.waitFor();
  await expect.poll(() => line.locator('.line-place').allTextContents()).toEqual(['', '40']);
  await expect.poll(() => line.locator('.word-changed').allTextContents()).toEqual(['another']);
  await line.locator('.hljs-keyword').getByText('const').waitFor();
  // What became of the files is told after what they are.
  await expect.poll(() => headOf(page, 'src/a.ts').textContent()).toContain('as the agent left it');
  await page.getByText('2 files').waitFor();
  await page.getByText('nothing was run after the last edit').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Side by side' }).click();
  const pair = page.locator('.review-pair').filter({ hasText: 'value39' });
  await expect.poll(() => pair.locator('.line-place').allTextContents()).toEqual(['40', '40']);
  await page.getByRole('button', { name: 'Side by side' }).click();

  await page.getByLabel('Turn').selectOption('2');
  await page.getByText('1 file', { exact: true }).waitFor();
  await lineOf(page, 'value54').first().waitFor();
  await expect.poll(() => lineOf(page, 'value39').count()).toBe(0);
  await page.getByLabel('Turn').selectOption('');

  await page.getByLabel('Seen: src/a.ts').check();
  await lineOf(page, 'value39').first().waitFor({ state: 'detached' });
  await page.getByText('1 of 2 seen').waitFor();
  await page.reload();
  await page.getByText('1 of 2 seen').waitFor();
  write(root, { 'src/a.ts': `${edited(40, 55)}\n// mine` });
  await page.reload();
  await headOf(page, 'src/a.ts').getByText('changed since').waitFor();
  await page.getByText('1 of 2 seen').waitFor();
  expect(problems).toEqual([]);
});

test('a part is taken back as it was read, a whole file too, and both can be undone; the state of each is told', async () => {
  const { page, root } = await review([[{ files: { 'b.ts': edited(5, 50), 'made.txt': 'made\n' } }]], {
    'b.ts': edited(),
  });
  const content = (name: string) => readFileSync(path.join(root, name), 'utf8');
  await page.getByRole('button', { name: 'Take back Lines 2 to 8…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('// a word').first().waitFor();
  expect(await dialog.getByText('value49').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Take back', exact: true }).click();
  await page.getByText('A part of b.ts was taken back.').waitFor();
  expect(content('b.ts')).toBe(edited(50));
  await headOf(page, 'b.ts').getByText('changed since').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('It is again as it was before.').waitFor();
  expect(content('b.ts')).toBe(edited(5, 50));

  await page.getByRole('button', { name: 'Take back made.txt…' }).click();
  await dialog.getByRole('button', { name: 'Leave it' }).click();
  expect(content('made.txt')).toBe('made\n');
  await page.getByRole('button', { name: 'Take back b.ts…' }).click();
  await dialog.getByRole('button', { name: 'Take back', exact: true }).click();
  await headOf(page, 'b.ts').getByText('reverted').waitFor();
  expect(content('b.ts')).toBe(edited());
  git(root, 'add', 'made.txt');
  git(root, 'commit', '-qm', '<b>kept</b>');
  await page.reload();
  const id = git(root, 'rev-parse', 'HEAD').slice(0, 8);
  await headOf(page, 'made.txt').getByText(`committed in ${id}`).waitFor();
});

test('a whole turn is taken back with all that came after it, the difference is shown first, and it can be undone', async () => {
  const first: Step[] = [{ files: { 'd.ts': edited(5), 'gone.txt': '<img src=x onerror=alert(1)>\n' } }];
  const { page, root, problems } = await review([first, [{ files: { 'd.ts': edited(5, 50) } }]], { 'd.ts': edited() });
  const content = () => readFileSync(path.join(root, 'd.ts'), 'utf8');
  const dialog = page.getByRole('dialog');
  await page.getByLabel('Turn', { exact: true }).selectOption('2');
  await page.getByRole('button', { name: 'Take turn 2 back…' }).click();
  await dialog.getByText('value49').first().waitFor();
  expect(await dialog.getByText(/value4 =/).count()).toBe(0);
  await dialog.getByText(/The conversation (goes back too|does not go back)/).waitFor();
  await dialog.getByRole('button', { name: 'Leave it' }).click();
  expect(content()).toBe(edited(5, 50));
  await page.getByRole('button', { name: 'Take turn 2 back…' }).click();
  await dialog.getByRole('button', { name: 'Take back', exact: true }).click();
  await page.getByText('1 file is as before.').waitFor();
  expect(content()).toBe(edited(5));
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('It is again as it was before.').waitFor();
  expect(content()).toBe(edited(5, 50));

  await page.getByLabel('Turn', { exact: true }).selectOption('1');
  await page.getByRole('button', { name: 'Back to before turn 1…' }).click();
  await dialog.getByRole('heading', { name: 'Take turns 1 to 2 back?' }).waitFor();
  await dialog.getByText('<img src=x onerror=alert(1)>').waitFor();
  expect(await dialog.locator('img').count()).toBe(0);
  expect(await seriousProblems(page)).toEqual([]);
  write(root, { 'd.ts': '// mine' });
  await dialog.getByRole('button', { name: 'Take back', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  expect(content()).toBe('// mine');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Back to before turn 1…' }).click();
  await dialog.getByText('Somebody else changed one of these files too').waitFor();
  await dialog.getByLabel('Only the files; the conversation stays').check();
  await dialog.getByRole('button', { name: 'Take back', exact: true }).click();
  await page.getByText('2 files are as before.').waitFor();
  expect(content()).toBe(edited());
  expect(existsSync(path.join(root, 'gone.txt'))).toBe(false);
  expect(problems.filter((problem) => !problem.includes('409'))).toEqual([]);
});

test('what the file is no longer is not taken back by halves', async () => {
  const { page, root } = await review([[{ files: { 'c.ts': edited(5, 50) } }]], { 'c.ts': edited() });
  await page.getByRole('button', { name: 'Take back Lines 2 to 8…' }).waitFor();
  write(root, { 'c.ts': `// mine\n${edited(5, 6, 50)}` });
  await page.getByRole('button', { name: 'Take back Lines 2 to 8…' }).click();
  await page.getByRole('dialog').getByText('no longer what is shown here').waitFor();
  expect(readFileSync(path.join(root, 'c.ts'), 'utf8')).toContain('// mine');
});

const child = (id: string, name: string, input: unknown, parent: string): Step =>
  say({
    type: 'assistant',
    session_id: 's',
    parent_tool_use_id: parent,
    message: {
      id: `m-${id}`,
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content: [{ type: 'tool_use', id, name, input }],
      usage: {},
    },
  });

const HOSTILE = '<img src=x onerror="window.hacked = 1">\u202egpj.exe';

test('without kept files it shows what the agent told, says so, by sub-agent too, and nothing of it runs', async () => {
  const own = { file_path: `src/${HOSTILE}.ts`, old_string: 'const a = 1;', new_string: `const a = '${HOSTILE}';` };
  const theirs = { file_path: 'src/other.ts', old_string: 'x', new_string: 'y' };
  const { page, served, problems } = await open([
    init(),
    toolUse('t1', 'Edit', own),
    toolResult('t1', 'ok'),
    toolUse('t2', 'Task', { description: `\u202eLook ${HOSTILE}`, prompt: 'look', subagent_type: 'x' }),
    child('t3', 'Edit', theirs, 't2'),
    toolResult('t3', 'ok', false, { parent_tool_use_id: 't2' }),
    toolResult('t2', 'found'),
    toolUse('t4', 'Bash', { command: `npm test ${HOSTILE}` }),
    toolResult('t4', 'red', true),
    result('done'),
  ]);
  const session = await unkept(served);
  await page.goto(`${served.server.url}/s/${session}/changes`);
  await page.getByText('These are the edits that the agent told').waitFor();
  await page.getByText('2 files').waitFor();
  await lineOf(page, '⟨U+202E⟩gpj.exe').first().waitFor();
  await page.getByText('failed', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^Take back/ }).count()).toBe(0);
  const names = await page.getByLabel('By whom').locator('option').allTextContents();
  expect(names[0]).toBe('By anybody');
  expect(names[2]).toMatch(/^⟨U\+202E⟩Look <img src=x/);
  await page.getByLabel('By whom').selectOption({ index: 2 });
  await page.getByText('1 file', { exact: true }).waitFor();
  await headOf(page, 'src/other.ts').waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  await page
    .getByRole('link', { name: /^Edit, turn 1/ })
    .first()
    .click();
  await page.getByLabel('Conversation').waitFor();
  expect(problems).toEqual([]);
});

test('keys lead to parts and files and mark what was seen', async () => {
  const { page } = await review([[{ files: { 'k1.ts': edited(5, 50), 'k2.txt': 'x\n'.repeat(80) } }]], {
    'k1.ts': edited(),
  });
  await lineOf(page, 'value4').first().waitFor();
  await page.locator('body').press('J');
  await page.locator('.tree-file[aria-current]').getByText('k2.txt').waitFor();
  await page.locator('body').press('K');
  await page.locator('body').press('v');
  await page.getByText('1 of 2 seen').waitFor();
});

test('where nothing changed it says so', async () => {
  const { page, served } = await open([init(), result('done')]);
  const session = await unkept(served);
  await page.goto(`${served.server.url}/s/${session}/changes`);
  await page.getByText('Nothing was changed').waitFor();
});

test.each(LOOKS)('$name: axe finds nothing serious, and nothing sticks out', async (look) => {
  const { page } = await review(
    [[{ files: { 'src/deep/er/a.ts': edited(5, 50), 'new.md': '# new\n' } }], [{ files: { 'new.md': '# newer\n' } }]],
    { 'src/deep/er/a.ts': edited() },
    look,
  );
  if (look.options.colorScheme)
    await page.emulateMedia({ colorScheme: look.options.colorScheme, reducedMotion: 'reduce' });
  await lineOf(page, 'value4').first().waitFor();
  await shoot(page, `changes-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await page.getByRole('button', { name: 'Take back src/deep/er/a.ts…' }).click();
  await page.getByRole('dialog').getByText('value49').first().waitFor();
  await shoot(page, `take-back-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
});
