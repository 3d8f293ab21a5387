/** Two who work in one folder are told of each other, and whoever is asked sees it. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { consentFor } from '../../src/consent/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { run } from '../../src/run/index.js';
import { keepRun, openStore } from '../../src/store/index.js';
import { createNeighbours } from '../../src/worktree/index.js';
import { ask, init, inSession, result, toolUse } from '../fake-agent/lines.js';
import { scripted, temporaryDirectory } from '../fake-agent/play.js';

test('both hear of the other, and the question says who else is at work', async () => {
  const root = temporaryDirectory();
  for (const name of ['.git', 'below', 'elsewhere/.git']) mkdirSync(path.join(root, name), { recursive: true });
  const file = path.join(temporaryDirectory(), 'store.db');
  const stores = [await openStore(file), await openStore(file), await openStore(file)];
  const input = { command: 'touch a' };
  const asking = [
    init(),
    { hear: 'go on' },
    toolUse('t1', 'Bash', input),
    ask('q1', 't1', 'Bash', input),
    { hear: 'q1' },
    result('ok'),
    { hearEnd: true },
  ];
  const ids = [
    '10000000-0000-4000-8000-000000000000',
    '20000000-0000-4000-8000-000000000000',
    '30000000-0000-4000-8000-000000000000',
  ];
  const started = stores.map((store, index) => {
    const cwd = path.join(root, ['', 'below', 'elsewhere'][index] ?? '');
    const neighbours = createNeighbours(store, cwd);
    const script = inSession(ids[index] ?? '', asking);
    const handle = run({ ...scripted(script, { cwd, keepOpen: true }), alsoHere: neighbours.names });
    onTestFinished(() => handle.cancel());
    neighbours.tell(handle);
    const events: AgentEvent[] = [];
    const kept = keepRun(handle, { store, onEvent: (event) => void events.push(event) });
    return {
      handle,
      events,
      kept,
      warnings: () => events.filter((event) => event.type === 'warning' && event.code === 'shared-folder'),
    };
  });
  await expect.poll(() => started.map(({ warnings }) => warnings().length)).toEqual([1, 1, 0]);
  for (const { handle } of started) handle.say('go on');
  for (const { events } of started)
    await expect.poll(() => events.some(({ type }) => type === 'approval-request')).toBe(true);
  const asked = started.map(({ events }) => events.find((event) => event.type === 'approval-request'));
  expect(asked.map((request) => request?.alsoHere)).toEqual([
    [expect.stringMatching(/^\w+ \(claude\)$/)],
    [expect.stringMatching(/ \(claude\)$/)],
    undefined,
  ]);
  expect(asked[0] && consentFor(asked[0]).facts).toContainEqual({
    name: 'Also at work here',
    text: asked[0]?.alsoHere?.[0],
  });
  for (const { handle, kept } of started) {
    handle.cancel();
    await kept.done;
  }
  for (const store of stores) await store.close();
});

test('all who are there are told in one sentence, who comes later in a short one', async () => {
  const cwd = temporaryDirectory();
  const store = await openStore(path.join(temporaryDirectory(), 'store.db'));
  const comes = async (runId: string) => {
    await store.startRun({ runId, agent: 'claude', cwd, startedAt: Date.now() });
    const [session] = (await store.list({})).items.filter(({ runs }) => runs.some((one) => one.runId === runId));
    return `${session?.id} (claude)`;
  };
  const there = [await comes('one'), await comes('two')];
  const handle = run(scripted([init(), { hearEnd: true }], { cwd, keepOpen: true }));
  onTestFinished(() => handle.cancel());
  const told: string[] = [];
  const kept = keepRun(handle, {
    store,
    onEvent: (event) => void (event.type === 'warning' && told.push(event.message)),
  });
  createNeighbours(store, cwd).tell(handle);
  await expect.poll(() => told).toHaveLength(1);
  for (const name of there) expect(told[0]).toContain(name);
  expect(told[0]).toMatch(/^Others work in this folder too, /);
  expect(told[0]).toContain('--worktree');
  const later = await comes('three');
  await expect.poll(() => told).toEqual([told[0], `Now ${later} works in this folder too.`]);
  handle.cancel();
  await kept.done;
  await store.close();
});
