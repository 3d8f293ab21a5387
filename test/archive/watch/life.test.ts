/** A turn that is open on disk is told as open while somebody has it, however long nothing comes, and as over once nobody does. */
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AGENTS } from '../../../src/agent/index.js';
import { type WatchOptions, watchTranscripts } from '../../../src/archive/index.js';
import { openForeign } from '../../../src/store/foreign.js';
import { openStore } from '../../../src/store/index.js';
import { PATIENCE_MS } from '../../support/patience.js';

const SESSION = '01a1e465-4f86-7172-94c6-000000000001';
const RUN = `codex-transcript-${SESSION}`;
const SOON = { settleMs: 0, releaseMs: 1, forgetMs: 2 };

test('an agent that was killed in the middle of a turn has ended in the store too, and goes on when it does', async () => {
  let life: 'live' | 'ended' = 'live';
  const { file, stateOf, asked } = await watched({ pace: SOON, lifeOf: async () => life });
  await expect.poll(asked, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  expect(await stateOf()).toEqual('running');
  life = 'ended';
  await expect.poll(stateOf, { timeout: PATIENCE_MS }).toEqual('ended');
  life = 'live';
  appendFileSync(file, line('event_msg', { type: 'agent_message', message: 'two' }));
  await expect.poll(stateOf, { timeout: PATIENCE_MS }).toEqual('running');
});

test('a turn of which nobody can tell who has it is let go after a while', async () => {
  const { stateOf } = await watched({ pace: SOON, lifeOf: async () => 'unknown' });
  await expect.poll(stateOf, { timeout: PATIENCE_MS }).toEqual('ended');
});

/** An agent that has begun a turn and said one thing. */
async function watched(options: Partial<WatchOptions>) {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-life-'));
  const folder = join(home, '.codex/sessions/2026/11/17');
  const file = join(folder, `rollout-2026-${SESSION}.jsonl`);
  mkdirSync(folder, { recursive: true });
  const head = line('session_meta', { id: SESSION, cwd: '/repo', source: 'exec' });
  const said = line('event_msg', { type: 'agent_message', message: 'one' });
  writeFileSync(file, head + line('event_msg', { type: 'task_started' }) + said);
  const store = await openStore(join(home, 'store.db'));
  const stop = new AbortController();
  let asked = 0;
  const watching = watchTranscripts({
    agents: AGENTS.filter(({ name }) => name === 'codex'),
    env: {},
    home,
    store,
    openDatabase: openForeign,
    signal: stop.signal,
    ...options,
    async lifeOf(runId) {
      asked += 1;
      return options.lifeOf?.(runId) ?? 'unknown';
    },
  });
  onTestFinished(async () => {
    stop.abort();
    await watching.done;
    await store.close();
  });
  await watching.ready;
  const stateOf = async () => (await store.session(RUN))?.state;
  return { file, stateOf, asked: () => asked };
}

function line(type: string, payload: object): string {
  return `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`;
}
