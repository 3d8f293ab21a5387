/** Row 12: the timeline of a session of 8,000 tool calls, a quarter of them by sub-agents: opened, zoomed and scrolled in a real browser. */
import type { AgentEvent, Draft } from '../src/event/index.js';
import { launchBrowser, openStore, pageFolder, startServer } from './support/built.js';
import { longestTask, median, type Task, taskText } from './support/longest-task.js';
import { report } from './support/row.js';

const CALLS = 8000;
const SUB_AGENTS = 40;
const STEP_MS = 4000;
const GOAL_TASK_MS = 50;

const store = await openStore(':memory:');
const server = await startServer({ store, port: 0, pageFolder });
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const startedAt = Date.now() - CALLS * STEP_MS;
await store.startRun({ runId: 'long', agent: 'claude', startedAt, cwd: '/work/shop', owned: false });
const events = [...history()];
for (let from = 0; from < events.length; from += 5000) await store.append(events.slice(from, from + 5000));
await store.endRun('long');
await page.goto(await server.createLoginLink());
await page.locator('.session-entry').waitFor();
const { id } = (await store.session('long')) ?? { id: '' };

const rounds = { open: [] as Task[], zoom: [] as Task[], scroll: [] as Task[] };
const drawn: number[] = [];
for (let round = 0; round < 3; round += 1) {
  const beganAt = performance.now();
  rounds.open.push(
    await longestTask(browser, page, async () => {
      await page.goto(`${server.url}/s/${id}/timeline`);
      await page.locator('.timeline-picture li').first().waitFor();
    }),
  );
  drawn.push(performance.now() - beganAt);
  const picture = page.locator('.timeline-frame');
  await picture.focus();
  rounds.zoom.push(
    await longestTask(browser, page, async () => {
      for (let times = 0; times < 9; times += 1) await page.keyboard.press('+');
      await page
        .getByRole('link', { name: /Read: src\/\d+\.ts/ })
        .first()
        .waitFor();
    }),
  );
  rounds.scroll.push(
    await longestTask(browser, page, async () => {
      for (let times = 0; times < 40; times += 1) await page.keyboard.press('ArrowRight');
      await page.evaluate("document.querySelector('.timeline-frame').scrollLeft = 1e9");
      await page
        .getByRole('link', { name: new RegExp(`Read: src/${CALLS - 1}\\.ts`) })
        .first()
        .waitFor();
    }),
  );
}
await page
  .getByRole('link', { name: new RegExp(`Read: src/${CALLS - 1}\\.ts`) })
  .first()
  .click();
await page
  .getByLabel('Conversation')
  .getByText(`src/${CALLS - 1}.ts`)
  .first()
  .waitFor();

await browser.close();
await server.close();
await store.close();

const deeds = { open: 'until it is drawn', zoom: 'zoomed in by nine keys', scroll: 'scrolled by keys and to its end' };
report(
  (['open', 'zoom', 'scroll'] as const).map((deed) => {
    const value = median(rounds[deed].map(({ cpuMs }) => cpuMs));
    return {
      row: 12,
      what: `page: timeline of ${CALLS.toLocaleString('en')} calls, ${deeds[deed]}`,
      against: 'nothing',
      goal: `no task over ${GOAL_TASK_MS} ms`,
      value,
      unit: 'ms of CPU, longest task',
      ok: value < GOAL_TASK_MS,
      also: {
        'of each round': rounds[deed].map(taskText).join(', '),
        ...(deed === 'open' && { 'drawn after': `${Math.round(median(drawn))} ms` }),
      },
    };
  }),
);

/** What an event says, without what every event carries. */
type Body = WithoutTurn<Draft>;
type WithoutTurn<Union> = Union extends Draft ? Omit<Union, 'turn'> : never;

/** Each sub-agent has the calls between two of the main conversation's; everything takes its time. */
function* history(): Generator<AgentEvent> {
  let seq = 0;
  let at = startedAt;
  const tell = (draft: Body & { parent?: string }): AgentEvent => {
    seq += 1;
    return { source: 'stream', turn: 1, ...draft, runId: 'long', agent: 'claude', seq, at } as AgentEvent;
  };
  yield tell({ type: 'user-message', text: 'Read all of it' });
  yield tell({ type: 'turn-start' });
  const block = CALLS / SUB_AGENTS;
  for (let step = 0; step < CALLS; step += 1) {
    const inBlock = step % block;
    const task = `task${Math.floor(step / block)}`;
    const isBelow = inBlock > 0 && inBlock <= block / 4;
    const messageId = `m${step}`;
    at += STEP_MS / 2;
    yield tell({ type: 'message-start', messageId, ...(isBelow && { parent: task }) });
    yield tell({ type: 'message-end', messageId, ...(isBelow && { parent: task }) });
    const call = inBlock === 0 ? task : `t${step}`;
    const name = inBlock === 0 ? 'Task' : 'Read';
    const about = inBlock === 0 ? `Look at part ${step}` : `src/${step}.ts`;
    const parent = isBelow ? { parent: task } : {};
    yield tell({
      type: 'tool-start',
      id: call,
      name,
      kind: inBlock === 0 ? 'agent' : 'read',
      messageId,
      ...parent,
    } as Body);
    yield tell({ type: 'tool-input-end', id: call, input: {}, summary: about, ...parent } as Body);
    at += STEP_MS / 2;
    if (inBlock !== 0) yield tell({ type: 'tool-end', id: call, status: 'ok', output: 'one\ntwo', ...parent } as Body);
    if (inBlock === block / 4) yield tell({ type: 'tool-end', id: task, status: 'ok', output: 'seen' });
  }
  yield tell({ type: 'turn-end', outcome: 'success', text: 'All read' } as Body);
}
