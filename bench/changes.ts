/**
 * The changes of a session in a real browser: 400 files with 50,000 changed lines are opened, then looked through to the end. The server is a process of
 * its own, as it is for people: to start git takes longer from a process that also holds a browser's traces.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Checkpoint } from '../src/checkpoint/index.js';
import { refsOf, writeRecord } from '../src/checkpoint/record.js';
import { anchor, take } from '../src/checkpoint/take.js';
import { findWorkTree } from '../src/checkpoint/work-tree.js';
import type { AgentEvent } from '../src/event/index.js';
import { writeComment } from '../src/review/index.js';
import { launchBrowser, openStore, pageFolder, startServer } from './support/built.js';
import { longestTask, median, type Task, taskText } from './support/longest-task.js';
import { report } from './support/row.js';

const FILES = 400;
const [OLD_LINES, NEW_LINES] = [60, 65];
const GOAL_OPEN_MS = 500;
const GOAL_TASK_MS = 50;
const RUN = 'changes';
const COMMENTS = 50;

const folder = process.env.BENCH_SERVE ?? mkdtempSync(path.join(tmpdir(), 'glassbox-bench-'));
process.env.GLASSBOX_STATE_DIR = path.join(folder, 'state');
const root = path.join(folder, 'project');
const dir = path.join(folder, 'state', 'checkpoints');
const database = path.join(folder, 'store.db');

if (process.env.BENCH_SERVE !== undefined) await serve();

write('before', OLD_LINES);
execFileSync('git', ['init', '-q', root]);
const workTree = await findWorkTree(root, dir);
const before = await keep('before');
write('after', NEW_LINES);
const after = await keep('after');
await writeRecord(dir, { runId: RUN, top: workTree.top, kind: 'git', checkpoints: [before, after] });

const store = await openStore(database);
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await store.startRun({ runId: RUN, agent: 'claude', startedAt: Date.now(), owned: false, cwd: workTree.top });
await store.append(events());
await store.endRun(RUN);
for (let file = 0; file < COMMENTS; file += 1) {
  const [start, commit] = [1 + (file % NEW_LINES), after.commit ?? ''];
  const quote = [`+${lineOf('after', file, start - 1)}`];
  const place = {
    path: nameOf(file),
    side: 'new',
    start,
    end: start,
    quote,
    runId: RUN,
    turn: 1,
    commit,
    at: file,
  } as const;
  await writeComment({ ...place, text: 'Is this what it should be?' }, path.join(folder, 'state', 'reviews'));
}
const { id } = (await store.session(RUN)) ?? { id: '' };
await store.close();
const server = fork(process.argv[1] ?? '', { env: { ...process.env, BENCH_SERVE: folder } });
const [{ link, url }] = (await once(server, 'message')) as [{ link: string; url: string }];
await page.goto(link);
await page.locator('.session-entry').waitFor();

const opened: number[] = [];
const worked: number[] = [];
const tasks: Task[] = [];
const scrolls: Task[] = [];
for (let round = 0; round < 5; round += 1) {
  await page.goto(`${url}/s/${id}`);
  await page.getByRole('link', { name: 'Changes' }).waitFor();
  const workedBefore = await cpuMs(server);
  tasks.push(
    await longestTask(browser, page, async () => {
      await page.evaluate(`performance.clearMarks(); performance.mark('asked')`);
      await page.getByRole('link', { name: 'Changes' }).click();
      await page.locator('.review-line').first().waitFor();
      while (!(await page.evaluate(`performance.getEntriesByName('review-whole').length > 0`)))
        await page.waitForTimeout(50);
      await page.locator('.maker').first().waitFor();
      await page.locator('.comment-tray').waitFor();
    }),
  );
  worked.push((await cpuMs(server)) - workedBefore);
  const at = `performance.getEntriesByName('review-lines')[0].startTime - performance.getEntriesByName('asked')[0].startTime`;
  opened.push(Number(await page.evaluate(at)));
  scrolls.push(
    await longestTask(browser, page, async () => {
      for (let step = 1; step <= 40; step += 1) {
        await page.evaluate(
          `document.querySelector('.review-list').scrollTop = document.querySelector('.review-list').scrollHeight * ${step / 40};
          new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`,
        );
      }
    }),
  );
}

await browser.close();
server.send('end');
await once(server, 'exit');
rmSync(folder, { recursive: true });

const lines = (FILES * (OLD_LINES + NEW_LINES)).toLocaleString('en');
report([
  {
    row: 12,
    what: `page: changes of ${FILES} files, ${lines} lines`,
    against: 'nothing',
    goal: `content under ${GOAL_OPEN_MS} ms`,
    value: median(opened),
    unit: 'ms',
    ok: median(opened) < GOAL_OPEN_MS,
    also: {
      'of each round': opened.map((ms) => `${Math.round(ms)} ms`).join(', '),
      'CPU of the server, until all is there': worked.map((ms) => `${Math.round(ms)} ms`).join(', '),
    },
  },
  {
    row: 12,
    what: 'page: work until all changed lines are there, and when they are looked through',
    against: 'nothing',
    goal: `no task over ${GOAL_TASK_MS} ms`,
    value: median([...tasks, ...scrolls].map(({ cpuMs }) => cpuMs)),
    unit: 'ms of CPU, longest task',
    ok: [...tasks, ...scrolls].every(({ cpuMs }) => cpuMs < GOAL_TASK_MS),
    also: { loading: tasks.map(taskText).join(', '), 'looked through': scrolls.map(taskText).join(', ') },
  },
]);

async function serve(): Promise<never> {
  const own = await openStore(database);
  const served = await startServer({ store: own, port: 0, pageFolder, projects: [root] });
  process.on('message', (asked) => {
    const { user, system } = process.cpuUsage();
    if (asked === 'cpu') process.send?.((user + system) / 1000);
    else void served.close().then(() => own.close().then(() => process.exit()));
  });
  process.send?.({ link: await served.createLoginLink(), url: served.url });
  return new Promise(() => {});
}

async function cpuMs(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [ms] = await once(child, 'message');
  return Number(ms);
}

function write(word: string, count: number): void {
  for (let file = 0; file < FILES; file += 1) {
    const name = path.join(root, nameOf(file));
    mkdirSync(path.dirname(name), { recursive: true });
    const text = Array.from({ length: count }, (_, line) => lineOf(word, file, line));
    writeFileSync(name, `${text.join('\n')}\n`);
  }
}

function nameOf(file: number): string {
  return `src/part${file % 20}/file${file}.ts`;
}

function lineOf(word: string, file: number, line: number): string {
  return `export const value${line} = compute('${word}', ${line}, { name: 'file ${file}' }); // as it was`;
}

async function keep(moment: Checkpoint['moment']): Promise<Checkpoint> {
  const { skipped: _, ...taken } = await take(workTree);
  await anchor(workTree, `${refsOf(RUN)}/${moment}`, taken.commit);
  return { turn: 1, moment, at: Date.now(), ...taken };
}

/** Each file is written by a call of its own, which is who made it. */
function events(): AgentEvent[] {
  const calls = Array.from({ length: FILES }, (_, file) => {
    const id = `call-${file}`;
    const content = Array.from({ length: NEW_LINES }, (_none, line) => `${lineOf('after', file, line)}\n`).join('');
    const edits = [{ path: nameOf(file), kind: 'write', after: { text: content } }];
    return [
      { type: 'tool-start', id, name: 'Write', kind: 'edit' },
      { type: 'tool-input-end', id, input: {}, summary: nameOf(file), edits },
      { type: 'tool-end', id, status: 'ok' },
    ];
  });
  const told = [
    { type: 'user-message', text: 'Change all files' },
    { type: 'session-start', cwd: workTree.top },
    { type: 'turn-start' },
    ...calls.flat(),
    { type: 'turn-end', outcome: 'success' },
  ];
  const stamp = { runId: RUN, agent: 'claude', source: 'stream', turn: 1, at: before.at + 1 } as const;
  return told.map((event, index) => ({ ...stamp, ...event, seq: index + 1 })) as AgentEvent[];
}
