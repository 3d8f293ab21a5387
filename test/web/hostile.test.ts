/** Whatever an agent prints is shown and never run, loaded or believed. */
import { expect, test } from 'vitest';
import { ask, init, result, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

const MARKDOWN = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 2">',
  '<svg onload="window.hacked = 3"><script>window.hacked = 4</script></svg>',
  '<iframe srcdoc="<script>parent.hacked = 5</script>"></iframe>',
  '[press me](javascript:window.hacked=6)',
  '<a href="&#106;avascript:window.hacked=7">and me</a>',
  '<form action="https://evil.example/"><button>log in again</button></form>',
  '<dialog open>trust me</dialog>',
  '<style>body { display: none }</style><div style="position:fixed;inset:0">cover</div>',
  '<img src="https://evil.example/pixel.png">',
  '![](https://evil.example/pixel2.png)',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.hacked = 8"></style></mglyph></table></mtext></math>',
  '<a id="app" name="body">clobber</a>',
  '```html\n<img src=x onerror="window.hacked = 9">\n```',
  'The end is here.',
].join('\n\n');

test('scripts, handlers, links and frames in Markdown do nothing, and nothing is loaded from elsewhere', async () => {
  const html = '<!doctype html><script>window.hacked = 10</script><h1 onclick="window.hacked = 11">Owned</h1>';
  const served = await servePage([
    init(),
    // No reader of Markdown can follow these.
    text(`${'> '.repeat(5_000)}deep`, 'm0'),
    text(`${'- '.repeat(5_000)}deeper`, 'm00'),
    text(MARKDOWN, 'm1'),
    toolUse('t1', 'Bash', { command: '<img src=x onerror="window.hacked = 12">' }),
    toolResult('t1', html, true),
    result('done'),
  ]);
  const { page, problems } = await logIn(served);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(served.server.url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  await startSession(page);
  await page.getByText('Turn done').waitFor();
  await page.getByText('<h1 onclick').waitFor();
  await page.getByText('The end is here.').waitFor();
  await page.getByText('press me').click();
  await page.getByText('and me').click();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  const inside = page.locator('.prose');
  expect(
    await inside
      .locator(
        'script, iframe, form, button:not(.copy, .quiet), dialog, style, svg:not(.lucide), [style], [id], [name]',
      )
      .count(),
  ).toBe(0);
  expect(await inside.locator('[href^="javascript"], [onerror], [onload], [onclick]').count()).toBe(0);
  expect(foreign).toEqual([]);
  // The policy also speaks up for the copy that is taken apart before anything is shown; newer browsers say more of it.
  const blocked = /^(Applying inline style|Executing inline event handler) .*The action has been blocked\.$/;
  expect(problems.filter((problem) => !blocked.test(problem))).toEqual([]);
  await page.getByPlaceholder('Continue this session').fill('still usable');
});

test('characters that hide, turn or control are taken out or made visible, also where somebody decides', async () => {
  const command = 'rm -rf \u202e/emoh # safe\u0007\u001b[2K\u001b]0;title\u0007';
  const served = await servePage([
    init(),
    toolUse('t1', 'Bash', { command }),
    ask('q1', 't1', 'Bash', { command }),
    { hear: 'q1' },
    toolResult('t1', '\u001b[31mred\u001b[0m \u2066turned\u2069', true),
    result('done'),
  ]);
  const { page } = await logIn(served);
  await startSession(page);
  const sheet = page.getByRole('region', { name: 'Run a command' });
  await sheet.getByText('rm -rf ⟨U+202E⟩/emoh # safe').waitFor();
  await sheet.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('red ⟨U+2066⟩turned⟨U+2069⟩').waitFor();
});

test('names, titles and findings are text too, wherever they stand', async () => {
  const nasty = '<img src=x onerror="window.hacked = 13">\u202eegaugnal';
  const shown = '<img src=x onerror="window.hacked = 13">⟨U+202E⟩egaugnal';
  const served = await servePage([
    init(),
    toolUse('t1', `Tool${nasty}`, { file_path: nasty, [nasty]: nasty }),
    toolResult('t1', `needle ${nasty}`),
    result('done'),
  ]);
  const { page, problems } = await logIn(served);
  await startSession(page, `Say ${nasty}`, `Say ${shown}`);
  await page.getByText('Turn done').waitFor();
  await page.getByRole('button', { name: `Tool${shown}` }).click();
  await page.getByText(`needle ${shown}`).waitFor();
  await page.getByLabel('Search in all sessions').fill('needle');
  await page.locator('.snippet', { hasText: shown }).waitFor();
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.getByRole('link', { name: `Tool: Tool${shown}` }).waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('a line of a million characters is cut, and the page stays usable', async () => {
  const served = await servePage([
    init(),
    text('y'.repeat(300_000), 'm1'),
    toolUse('t1', 'Bash', { command: 'yes' }),
    toolResult('t1', 'x'.repeat(900_000), true),
    text('After the flood', 'm2'),
    result('done'),
  ]);
  const { page, problems } = await logIn(served);
  await startSession(page);
  await page.getByText('After the flood').waitFor();
  await page
    .getByRole('button', { name: /more characters/ })
    .first()
    .waitFor();
  const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(width).toBe(0);
  expect(problems).toEqual([]);
});
