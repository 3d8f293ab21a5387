/** Row 12: the page in a real browser: a session of 100,000 events is opened, then 500 deltas a second are watched. */
import type { AgentEvent, Draft } from '../src/event/index.js';
import { launchBrowser, openStore, pageFolder, startServer } from './support/built.js';
import { longestTask, median, type Task, taskText } from './support/longest-task.js';
import { report } from './support/row.js';

const STEPS = 16_667;
const EVENTS = STEPS * 6;
const DELTAS_PER_SECOND = 500;
const WATCH_MS = 5000;
const GOAL_OPEN_MS = 1000;
const GOAL_TASK_MS = 50;

const store = await openStore(':memory:');
const server = await startServer({ store, port: 0, pageFolder });
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await store.startRun({ runId: 'long', agent: 'claude', startedAt: Date.now(), owned: false });
const long = stamped('long', history());
for (let from = 0; from < long.length; from += 5000) await store.append(long.slice(from, from + 5000));
await store.endRun('long');
await page.goto(await server.createLoginLink());
await page.locator('.session-entry').waitFor();
const { id } = (await store.session('long')) ?? { id: '' };

const opened: number[] = [];
const whole: number[] = [];
const openTasks: Task[] = [];
for (let round = 0; round < 5; round += 1) {
  const task = await longestTask(browser, page, async () => {
    await page.goto(`${server.url}/s/${id}`);
    await page
      .getByText(`Step ${STEPS - 1} looks`)
      .last()
      .waitFor();
    await page.getByText('Loading what came before').waitFor({ state: 'detached' });
  });
  opened.push(await markedAt('rows-tail'));
  whole.push(await markedAt('rows-ready'));
  openTasks.push(task);
}

await store.startRun({ runId: 'live', agent: 'claude', startedAt: Date.now() });
let seq = 0;
const say = async (drafts: Body[]) => {
  const events = stamped('live', drafts, seq);
  seq += events.length;
  await store.append(events);
};
await say([
  { type: 'user-message', text: 'A live session' },
  { type: 'turn-start' },
  { type: 'message-start', messageId: 'm' },
]);
const live = await store.session('live');
await page.goto(`${server.url}/s/${live?.id}`);
await page.getByLabel('Conversation').getByText('A live session').waitFor();
let said = 0;
const liveTask = await longestTask(browser, page, async () => {
  const until = Date.now() + WATCH_MS;
  while (Date.now() < until) {
    const due = Math.floor(((Date.now() - until + WATCH_MS) / 1000) * DELTAS_PER_SECOND) - said;
    await say(Array.from({ length: due }, (_, index) => wordsOf(said + index)));
    said += due;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await page.getByText(`word${said - 1}`).waitFor();
});

await browser.close();
await server.close();
await store.close();

const openMs = median(opened);
report([
  {
    row: 12,
    what: `page: open a session of ${EVENTS.toLocaleString('en')} events`,
    against: 'nothing',
    goal: `content under ${GOAL_OPEN_MS} ms`,
    value: openMs,
    unit: 'ms',
    ok: openMs < GOAL_OPEN_MS,
    also: { 'the whole history': `${Math.round(median(whole))} ms` },
  },
  {
    row: 12,
    what: `page: work on ${EVENTS.toLocaleString('en')} events until all are there`,
    against: 'nothing',
    goal: `no task over ${GOAL_TASK_MS} ms`,
    value: median(openTasks.map(({ cpuMs }) => cpuMs)),
    unit: 'ms of CPU, longest task',
    ok: median(openTasks.map(({ cpuMs }) => cpuMs)) < GOAL_TASK_MS,
    also: { 'of each round': openTasks.map(taskText).join(', ') },
  },
  {
    row: 12,
    what: `page: ${DELTAS_PER_SECOND} deltas a second for ${WATCH_MS / 1000} s`,
    against: 'nothing',
    goal: `no task over ${GOAL_TASK_MS} ms`,
    value: liveTask.cpuMs,
    unit: 'ms of CPU, longest task',
    ok: liveTask.cpuMs < GOAL_TASK_MS,
    also: { 'longest task': taskText(liveTask), 'deltas shown': String(said) },
  },
]);

/** What an event says, without what every event carries. */
type Body = WithoutTurn<Draft>;
type WithoutTurn<Union> = Union extends Draft ? Omit<Union, 'turn'> : never;

/** When the end of the session is to be read, and when all of it. */
async function markedAt(name: string): Promise<number> {
  return Number(await page.evaluate(`performance.getEntriesByName('${name}')[0].startTime`));
}

function* history(): Generator<Body> {
  for (let step = 0; step < STEPS; step += 1) {
    const messageId = `m${step}`;
    yield { type: 'message-start', messageId };
    yield {
      type: 'text-end',
      messageId,
      index: 0,
      text: `Step ${step} looks at **file ${step}**, which has \`code\`.`,
    };
    yield { type: 'message-end', messageId };
    yield { type: 'tool-start', id: `t${step}`, name: 'Read', kind: 'read', messageId };
    yield { type: 'tool-input-end', id: `t${step}`, input: { file_path: `src/${step}.ts` }, summary: `src/${step}.ts` };
    yield { type: 'tool-end', id: `t${step}`, status: 'ok', output: 'one\ntwo\nthree' };
  }
}

function wordsOf(index: number): Body {
  const text = index % 60 === 59 ? `word${index}.\n\n` : `word${index} `;
  return { type: 'text-delta', messageId: 'm', index: 0, text };
}

function stamped(runId: string, drafts: Iterable<Body>, after = 0): AgentEvent[] {
  const at = Date.now();
  return Array.from(
    drafts,
    (draft, index) =>
      ({ source: 'stream', turn: 1, ...draft, runId, agent: 'claude', seq: after + index + 1, at }) as AgentEvent,
  );
}
