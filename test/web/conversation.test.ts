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
import { useOneServer } from './one-server.js';
import { servePage } from './serve-page.js';

useBrowser();
const open = useOneServer();

const gates = (...names: string[]) => names.map((name) => path.join(temporaryDirectory(), name));
const openGate = (gate = '') => writeFileSync(gate, '');

test('S4-11 text grows as it is said, a reload in the middle and a second tab lose nothing', async () => {
  const [first, second] = gates('first', 'second');
  const { page, problems } = await open([
    init(),
    ...streamStart(),
    delta('One **fish**, '),
    { file: first },
    delta('two fish.'),
    { file: second },
    text('One **fish**, two fish.'),
    result('done'),
  ]);
  await startSession(page);
  await page.locator('strong', { hasText: 'fish' }).waitFor();
  expect(await page.getByText('two fish.').count()).toBe(0);
  openGate(first);
  await page.getByText('One fish, two fish.').waitFor();

  await page.reload();
  await page.getByText('One fish, two fish.').waitFor();
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.getByText('One fish, two fish.').waitFor();
  openGate(second);
  for (const one of [page, tab]) {
    await one.getByText('Turn done').waitFor();
    expect(await one.getByText('One fish, two fish.').count()).toBe(1);
  }
  expect(problems).toEqual([]);
});

test('S0-29 a tool is a card with its input and output, and a failed one shows why', async () => {
  const { page } = await open([
    init(),
    toolUse('t1', 'Read', { file_path: 'src/a.ts' }),
    toolResult('t1', 'the content of a'),
    toolUse('t2', 'Bash', { command: 'exit 3' }),
    toolResult('t2', 'it went wrong', true),
    result('done'),
  ]);
  await startSession(page);
  await page.getByText('it went wrong').waitFor();
  expect(await page.getByText('the content of a').count()).toBe(0);
  await page.getByRole('button', { name: /Read src\/a\.ts/ }).click();
  await page.getByText('the content of a').waitFor();
});

test('a call that nobody was asked about shows its command and its edits as such', async () => {
  const { page, problems } = await open([
    init(),
    toolUse('t1', 'Edit', { file_path: 'src/a.ts', old_string: 'one\ntwo', new_string: 'one\n2', replace_all: true }),
    toolResult('t1', 'changed'),
    toolUse('t2', 'Bash', { command: 'ls -l', description: 'a list' }),
    toolResult('t2', 'total 0'),
    result('done'),
  ]);
  await startSession(page);
  await page.getByText('Turn done').waitFor();
  const edit = page.getByRole('article', { name: 'Tool Edit' });
  await edit.getByRole('button').click();
  await edit.getByText('src/a.ts').last().waitFor();
  await edit.getByText('everywhere').waitFor();
  await expect
    .poll(() => edit.locator('pre span[class^=diff-]').allTextContents())
    .toEqual([' one\n', '−two\n', '+2\n']);
  const bash = page.getByRole('article', { name: 'Tool Bash' });
  await bash.getByRole('button').click();
  await bash.locator('code', { hasText: 'ls -l' }).waitFor();
  await expect.poll(() => bash.locator('dt').allTextContents()).toEqual(['description']);
  expect(problems).toEqual([]);
});

test('what a sub-agent is told is the agent’s word, not the person’s; a change has the lines of its file', async () => {
  const told = { role: 'user', content: [{ type: 'text', text: 'Look at the tests' }] };
  const structuredPatch = [{ oldStart: 7, oldLines: 1, newStart: 7, newLines: 1, lines: ['-old', '+new'] }];
  const { page } = await open([
    init(),
    toolUse('a1', 'Agent', { description: 'look', prompt: 'Look at the tests' }),
    say({ type: 'user', parent_tool_use_id: 'a1', session_id: 's', message: told }),
    toolResult('a1', 'looked'),
    toolUse('e1', 'Edit', { file_path: 'src/a.ts', old_string: 'old', new_string: 'new' }),
    toolResult('e1', 'edited', false, { tool_use_result: { filePath: 'src/a.ts', structuredPatch } }),
    result('done'),
  ]);
  await startSession(page);
  const conversation = page.getByLabel('Conversation');
  await conversation.getByText('Show 1 step of the sub-agent').click();
  await conversation.getByText('The agent to its sub-agent').waitFor();
  expect(await page.locator('.user-message').allInnerTexts()).toEqual([
    expect.stringContaining('Fix the failing test'),
  ]);
  await expect
    .poll(() => conversation.locator('pre span[class^=diff-]').allTextContents())
    .toEqual(['7   −old\n', '  7 +new\n']);
});

test('no column of a table is so narrow that a word breaks: the table scrolls', async () => {
  const words =
    '| Risk | File | What happens then |\n|---|---|---|\n| low | `src/session/session.js` | nothing at all, as far as anybody knows |';
  const { page } = await open([init(), text(words), result('done')]);
  await startSession(page);
  await page.setViewportSize({ width: 390, height: 780 });
  const table = page.locator('.prose table');
  await table.getByText('session.js').waitFor();
  // Each word stands in one line.
  const broken = await table.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode()) {
      for (const match of (texts.currentNode.nodeValue ?? '').matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, match.index);
        range.setEnd(texts.currentNode, match.index + match[0].length);
        if (range.getClientRects().length > 1) found.push(match[0]);
      }
    }
    return found;
  });
  expect(broken).toEqual([]);
});

test('Escape interrupts where nothing is open that it closes, and the session can be continued afterwards', async () => {
  const { page } = await open([
    init(),
    ...streamStart(),
    delta('Working'),
    { hear: '"subtype":"interrupt"' },
    interruptedResult(),
  ]);
  await startSession(page);
  await page.getByLabel('Conversation').getByText('Working', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Interrupt' }).waitFor();
  const interrupts: string[] = [];
  page.on('request', (request) => request.url().endsWith('/interrupt') && interrupts.push(request.url()));
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  const list = page.getByRole('navigation', { name: 'Sessions' });
  await page.setViewportSize({ width: 820, height });
  await page.getByRole('button', { name: 'Show the list' }).click();
  await list.waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width, height });
  // The field that had the focus goes with its name.
  const more = page.locator('.session-actions').getByLabel('More');
  await more.click();
  await page.getByRole('button', { name: 'Rename…' }).click();
  await page.getByLabel('Name of the session').fill('Named');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Rename…' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Rename…' }).waitFor({ state: 'hidden' });
  expect(await more.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(interrupts).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByText('Interrupted').first().waitFor();
  expect(interrupts).toHaveLength(1);
  await page.getByPlaceholder('Continue this session').waitFor();
  // Once: the mark in the header says how it stands, and the end of the turn why.
  await page.locator('.session-head').getByText('Stopped').waitFor();
  expect(await page.getByText(/interrupted|ended by/i).count()).toBe(1);
});

test('the agent is stopped altogether, and nothing of it looks as if it went on', async () => {
  const { served, page, problems } = await open([
    init(),
    toolUse('t1', 'Bash', { command: 'sleep 300' }),
    { hang: true },
  ]);
  await startSession(page);
  await page.getByRole('button', { name: /Bash sleep 300/ }).waitFor();
  await page.getByRole('button', { name: 'Stop the agent' }).click();
  await page.getByLabel('Conversation').getByText('Stopped: ended by the user', { exact: true }).waitFor();
  expect(await page.getByText('ended by the user').count()).toBe(1);
  await page.getByPlaceholder('Continue this session').waitFor();
  await expect.poll(() => page.locator('.conversation .spinner').count()).toBe(0);
  await expect
    .poll(async () => (await served.client.sessions()).items[0])
    .toMatchObject({ state: 'ended', outcome: 'cancelled' });
  expect(problems).toEqual([]);
});

test('a picture in the output of a tool is shown', async () => {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';
  const content = [
    { type: 'text', text: 'the screen' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
  ];
  const { page, problems } = await open([
    init(),
    toolUse('t1', 'Read', { file_path: 'screen.png' }),
    say({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content }] } }),
    result('done'),
  ]);
  await startSession(page);
  await page.getByRole('button', { name: /Read screen\.png/ }).click();
  await page.getByRole('img', { name: 'From the agent' }).waitFor();
  await expect.poll(() => page.evaluate(`document.querySelector('.attachments img').naturalWidth`)).toBe(10);
  expect(problems).toEqual([]);
});

test('a follow-up becomes part of the same session', async () => {
  const { served, page } = await open(answer('Here you are.'));
  await startSession(page, 'Begin');
  await page.getByPlaceholder('Continue this session').fill('And now the docs');
  await page.keyboard.press('Enter');
  await page.getByText('And now the docs').last().waitFor();
  await expect.poll(() => page.getByText('Here you are.').count()).toBe(2);
  expect((await served.client.sessions()).items).toHaveLength(1);
});

test('a run that turns out to continue an older session is found there, and leaves nothing behind that seems to run', async () => {
  // The scripted agent has one session id, so its second run belongs to the session of the first.
  const { page } = await open(answer('Here you are.'));
  await startSession(page, 'Begin');
  await page.getByText('Turn done').waitFor();
  const first = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'New session' }).click();
  await page.getByLabel('Prompt').fill('Go on');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect.poll(() => page.getByText('Here you are.').count()).toBe(2);
  await expect.poll(() => page.locator('.session-entry').count()).toBe(1);
  expect(new URL(page.url()).pathname).toBe(first);
  await expect.poll(() => page.locator('.session-head .state').textContent()).toBe('Finished');
});

test('the page says what the agent may do, and why nothing can be said to a run that is only read', async () => {
  const served = await servePage(answer('Here you are.'));
  const started = Date.now();
  const terms = { permission: 'plan', followUp: true } as const;
  const planning = await served.store.startRun({
    runId: 'elsewhere',
    agent: 'claude',
    startedAt: started,
    owned: false,
    terms,
  });
  const piped = await served.store.startRun({ runId: 'piped', agent: 'claude', startedAt: started, piped: true });
  const { page } = await logIn(served);
  await page.goto(`${served.server.url}/s/${planning.session}`);
  const permission = page.locator('.session-head').getByText('permission at start: Only plan');
  await permission.waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await permission.isVisible()).toBe(true);
  await page.goto(`${served.server.url}/s/${piped.session}`);
  await page.getByText('it cannot be spoken to').waitFor();
  await page.getByLabel('Message to the agent').fill('hello');
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
});

test('a hit of the search leads to the place where it was found, and marks it', async () => {
  const filler = Array.from({ length: 40 }, (_, index) => text(`Paragraph ${index}`, `m${index}`));
  const output = `${'word '.repeat(3000)}pelican ${'word '.repeat(300)}`;
  const { page, problems } = await open([
    init(),
    text('One **pelican** sits here.', 'early'),
    toolUse('t1', 'Read', { file_path: 'birds.txt' }),
    toolResult('t1', output),
    ...filler,
    result('done'),
  ]);
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
  const { page } = await open(answer('The answer is a pelican.'));
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
    await page.getByRole('button', { name }).click();
    expect((await download).suggestedFilename()).toMatch(new RegExp(`^glassbox-.*\\${ending}$`));
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('The answer is a pelican.');
    await page.getByLabel('Conversation').focus();
  }
});

test('S4-16 it says on request how to go on in the agent’s own program, and only there its id', async () => {
  const { page } = await open([init(), text('Done.'), result('done')]);
  await startSession(page);
  await page.getByPlaceholder('Continue this session').waitFor();
  expect(await page.content()).not.toContain('11111111-2222');
  await page.getByLabel('Export').click();
  await page.getByRole('button', { name: 'Open in a terminal…' }).click();
  await page.getByText(/^glassbox open \w{6}$/).waitFor();
  await page.getByText('claude --resume 11111111-2222-4333-8444-555555555555', { exact: true }).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: /^Copy glassbox open/ }).click();
  await page
    .getByRole('button', { name: /^Copy glassbox open/, exact: false })
    .getByText('Copied')
    .waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^glassbox open \w{6}$/);
});

test('it stays at the end when its rows turn out smaller while others come', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => text(`Paragraph ${index}`, `m${index}`));
  const { page } = await open([init(), ...lines, result('done')]);
  await startSession(page);
  await page.getByText('Turn done').waitFor();
  const conversation = page.getByLabel('Conversation');
  const fromEnd = () =>
    conversation.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop);
  await expect.poll(fromEnd).toBeLessThan(2);
  // Both before the next frame, as on a busy machine: the list moves up by itself, and it grows.
  await conversation.evaluate((list) => {
    list.scrollTop -= 100;
    list
      .querySelector('.conversation-content')
      ?.append(Object.assign(document.createElement('div'), { className: 'grown' }));
    for (const grown of list.querySelectorAll<HTMLElement>('.grown')) grown.style.height = '300px';
  });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await expect.poll(fromEnd).toBeLessThan(2);
  expect(await page.locator('.jump').count()).toBe(0);
});

test('it stays at the end until the reader scrolls up', async () => {
  const [more] = gates('more');
  const lines = Array.from({ length: 60 }, (_, index) => text(`Paragraph ${index}`, `m${index}`));
  const { page } = await open([init(), ...lines, { file: more }, text('The newest words', 'new'), result('done')]);
  await startSession(page);
  await page.getByText('Paragraph 59').waitFor();
  await page.getByLabel('Conversation').hover();
  await page.mouse.wheel(0, -1500);
  await page.getByRole('button', { name: 'Newest' }).waitFor();
  openGate(more);
  await page.getByText('Finished', { exact: true }).first().waitFor();
  const jump = page.getByRole('button', { name: /^\d+ new$/ });
  await jump.waitFor();
  expect(await page.getByText('The newest words').isVisible()).toBe(false);
  await jump.click();
  await page.getByText('The newest words').waitFor();
  await page.locator('.jump').waitFor({ state: 'detached' });
});
