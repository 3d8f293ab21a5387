/** Sub-agents as threads, and a session over time: everything once, below who began it, with what it took. */
import { expect, test } from 'vitest';
import { init, result, type Step, say, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { LOOKS, type Look, overflow, seriousProblems, shoot } from './axe.js';
import { useBrowser } from './browser.js';
import { useOneServer } from './one-server.js';

useBrowser();
const open = useOneServer();

const HOSTILE = '<img src=x onerror="window.hacked = 1">\u202egpj.exe';

const below = (parent: string, id: string, content: unknown[]): Step =>
  say({
    type: 'assistant',
    session_id: 's',
    parent_tool_use_id: parent,
    message: {
      ...{ id: `m-${id}`, type: 'message', role: 'assistant', model: 'fake', content, stop_reason: null },
      usage: { input_tokens: 1000, output_tokens: 50 },
    },
  });
const use = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });
const told = (parent: string, words: string): Step =>
  say({
    type: 'user',
    session_id: 's',
    parent_tool_use_id: parent,
    message: { role: 'user', content: [{ type: 'text', text: words }] },
  });
const ended = (parent: string, id: string): Step => toolResult(id, 'found', false, { parent_tool_use_id: parent });

const script = (project: string): Step[] => [
  init({ cwd: project }),
  text('I look around.', 'm1'),
  toolUse('t1', 'Task', {
    description: `\u202eLook around ${HOSTILE}`,
    prompt: 'Look at it',
    subagent_type: 'Explore',
  }),
  told('t1', 'Look at it'),
  below('t1', 'a', [use('t2', 'Read', { file_path: `${project}/src/deep/file.ts` })]),
  ended('t1', 't2'),
  below('t1', 'b', [use('t3', 'Task', { description: 'Count the lines', prompt: 'Count', subagent_type: 'Count' })]),
  told('t3', 'Count'),
  below('t3', 'c', [use('t4', 'Bash', { command: 'wc -l src/deep/file.ts' })]),
  ended('t3', 't4'),
  ended('t1', 't3'),
  toolResult('t1', 'all found'),
  toolUse('t5', 'Bash', { command: 'npm test' }),
  toolResult('t5', 'red', true),
  text('Done.', 'm2'),
  result('done', { total_cost_usd: 0.5 }),
];

async function played(look?: Look) {
  const opened = await open([]);
  const { page, play, served } = opened;
  if (look) await page.setViewportSize(look.options.viewport);
  if (look?.options.colorScheme) await page.emulateMedia({ ...look.options, reducedMotion: 'reduce' });
  play(script(served.project));
  const { runId, session } = await served.client.start({ agent: 'claude', prompt: 'Look around' });
  for await (const _ of served.client.events(runId));
  return { ...opened, session, at: `${served.server.url}/s/${session}` };
}

test('a sub-agent is a thread of its own: nested, folded, with what it took; its prompt is the agent’s word', async () => {
  const { page, at, problems } = await played();
  await page.goto(at);
  const fold = page.getByRole('button', { name: /^Show \d+ steps of the sub-agent/ });
  await expect.poll(() => fold.textContent()).toMatch(/about \$0\.\d+ · .* tokens in/);
  expect(await page.getByText('Count the lines').count()).toBe(0);
  await fold.click();
  await page.getByText('The agent to its sub-agent').waitFor();
  await page.getByText('src/deep/file.ts', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Show \d+ steps? of the sub-agent/ }).click();
  await expect.poll(() => page.getByText('The agent to its sub-agent').count()).toBe(2);
  await shoot(page, 'threads');
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('the timeline has everything once, below who began it, with paths as the project names them; a bar leads to its row', async () => {
  const { page, at, problems } = await played();
  await page.goto(`${at}/timeline`);
  const heads = page.locator('.section-head');
  await heads.getByText('The agent itself').waitFor();
  await expect.poll(() => heads.count()).toBe(3);
  await expect.poll(() => heads.nth(1).textContent()).toMatch(/⟨U\+202E⟩Look around <img.*about \$/);
  await expect.poll(() => heads.nth(2).textContent()).toContain('Count the lines');
  await page.getByText('Where the time and the money went').click();
  await page.getByText('Money, estimated from what the messages tell').waitFor();
  await heads.nth(1).getByRole('button').click();
  await expect.poll(() => heads.count()).toBe(2);
  await heads.nth(1).getByRole('button').click();
  for (let zoom = 0; zoom < 10; zoom += 1) await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
  await shoot(page, 'timeline-zoomed');
  await heads.getByRole('link', { name: 'Count the lines' }).click();
  await page.locator('.row.is-found').getByText('Count the lines').first().waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test.each(LOOKS)('$name: axe finds nothing serious in threads and timeline, and nothing sticks out', async (look) => {
  const { page, at } = await played(look);
  await page.goto(at);
  await page.getByRole('button', { name: /of the sub-agent/ }).click();
  await page.getByText('The agent to its sub-agent').waitFor();
  await shoot(page, `threads-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
  await page.goto(`${at}/timeline`);
  await page.getByText('Where the time and the money went').click();
  await page.getByText('Money, estimated').waitFor();
  await shoot(page, `timeline-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
  expect(await overflow(page)).toBe(0);
});
