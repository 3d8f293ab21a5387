/** Going on after a limit, as a user sees it: real processes, one of them killed, and the server. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parkedSource } from '../../src/cli/kept/parked-source.js';
import { createSessionPresences } from '../../src/observer/index.js';
import { GO_ON_PROMPT } from '../../src/parking/index.js';
import { environment } from '../cli/fake-run.js';
import { glassbox, type Started, start } from '../cli/glassbox.js';
import { init, result, type Step, text } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { serve } from '../server/serve.js';
import { limited } from './limited.js';

const HOUR = 3_600_000;

/** A place in which the agent does what its file says at each start. */
function place(settings: object = {}) {
  const dir = temporaryDirectory();
  const [script, config, told] = ['script.json', 'config.json', 'told.json'].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(config, JSON.stringify({ goOn: { jitterMs: 0 }, ...settings }));
  const env = { ...environment([]), FAKE_AGENT_SCRIPT: script, GLASSBOX_CONFIG: config };
  const words = ['--program', FAKE_AGENT, '--cwd', temporaryDirectory(), '--no-checkpoints'];
  return {
    /** What it does from its next start on. */
    next: (steps: readonly Step[]): Step => ({ files: { [script]: JSON.stringify(steps) } }),
    play: (steps: readonly Step[]) => writeFileSync(script, JSON.stringify(steps)),
    begin: (...args: string[]): Started => start([...args, ...words], env),
    ask: (...args: string[]) => glassbox(args, '', env),
    told: (): { argv: string[] } => JSON.parse(readFileSync(told, 'utf8')),
    done: [{ tell: told }, init(), text('All done.'), result('All done.')],
  };
}

/** Until this is said on stderr. */
function says({ child, ended }: Started, wanted: RegExp): Promise<string> {
  let all = '';
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (more: string) => {
      all += more;
      const found = wanted.exec(all);
      if (found) resolve(found[1] ?? found[0]);
    });
    void ended.then(() => reject(new Error(`it ended without saying ${wanted}: ${all}`)));
  });
}

test('run --go-on goes on in the same session when the limit is over, at most so often', async () => {
  const { play, begin, ask, told, done, next } = place();
  play([next(done), ...limited(Date.now())]);
  const { stdout, stderr, status } = await begin('run', 'claude', 'Translate', '--go-on', '--budget=5').ended;
  const id = /going on with (\w+)\./.exec(stderr)?.[1];
  expect({ status, stdout: stdout.includes('All done.') }).toEqual({ status: 0, stdout: true });
  expect(told().argv.join(' ')).toContain('--max-budget-usd=4.99 --resume=11111111-2222-4333-8444-555555555555');
  const sessions = (await ask('sessions', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(sessions).toMatchObject([
    { id, outcome: 'finished', runs: [{ outcome: 'failed' }, { prompt: GO_ON_PROMPT }] },
  ]);
  expect((await ask('go-on')).stderr).toContain('nothing is parked');
  play(limited(Date.now()));
  const often = await begin('run', 'claude', 'Again', '--go-on', '--go-on-times=2').ended;
  expect(often.stderr.match(/going on with/g)).toHaveLength(2);
  expect(often.stderr).toContain('stays parked, because it has waited for as many limits as it may');
  expect(often.status).toBe(1);
});

test('a killed glassbox leaves it parked, and another one goes on, now or never', async () => {
  const { play, begin, ask, done } = place();
  play(limited(Date.now() + 3 * HOUR));
  const run = begin('run', 'claude', 'Translate', '--go-on', '--go-on-times=1');
  const id = await says(run, /(\w+) is parked/);
  expect((await ask('ps')).stdout).toMatch(
    new RegExp(`${id}.*◌ parked[^]*goes on in [23]h\\d+m: glassbox go-on ${id}`),
  );
  run.child.kill('SIGKILL');
  await run.ended;
  const [listed] = (await ask('go-on', '--json')).stdout.split('\n').map((line) => line && JSON.parse(line));
  expect(listed).toMatchObject({ session: id, window: 'five_hour', timesLeft: 1, goesOnAt: expect.any(Number) });
  expect((await ask('sessions', '--json')).stdout).toContain('"state":"parked"');
  expect((await ask('why-state', id)).stdout).toContain('stopped by a limit of the account (five_hour)');
  const later = await ask('go-on', id, '--later=10h');
  expect(later.stdout).toMatch(/goes on in 10h0m; nobody waits for it now/);
  expect((await ask('ps')).stdout).toContain('goes on by itself where glassbox serve runs');
  expect((await ask('go-on')).stdout).toMatch(/in (10h|9h59)\S*, by serve/);
  // It is limited once more, and nobody waits for that: its number of times is over.
  play(limited(Date.now() + HOUR));
  const again = await begin('go-on', id, '--now').ended;
  expect(again.stderr).toContain('stays parked, because it has waited for as many limits as it may');
  play(done);
  const waiting = begin('go-on', id);
  await says(waiting, /is parked/);
  expect((await ask('go-on', id, '--now')).stdout).toContain('was told');
  expect((await waiting.ended).stdout).toContain('All done.');
  expect(await ask('go-on', id, '--never')).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('is not parked'),
  });
});

test('never: it has ended as it did, and whoever waits ends', async () => {
  const { play, begin, ask } = place();
  play(limited(Date.now() + HOUR));
  const run = begin('run', 'claude', 'Translate', '--go-on');
  const id = await says(run, /(\w+) is parked/);
  expect((await ask('go-on', id, '--never')).status).toBe(0);
  const { stderr, status } = await run.ended;
  expect({ status, heard: stderr.includes('somebody decided otherwise') }).toEqual({ status: 1, heard: true });
  expect((await ask('ps')).stdout).not.toContain(id);
});

test('Ctrl-C stops waiting and leaves it parked; without --go-on it says how to go on', async () => {
  const { play, begin, ask } = place();
  play(limited(Date.now() + HOUR));
  const run = begin('run', 'claude', 'Translate', '--go-on');
  const id = await says(run, /(\w+) is parked/);
  run.child.kill('SIGINT');
  expect(await run.ended).toMatchObject({ status: 130, stderr: expect.stringContaining(`${id} stays parked`) });
  const other = await begin('run', 'claude', 'Translate').ended;
  expect(other.stderr).toMatch(/is parked: the 5 h limit ends in \w+\. Then: glassbox go-on/);
  expect((await ask('go-on')).stdout).toMatch(/when you say so/);
  // Nobody told this one to wait by itself: it has not waited too often.
  const [, second = ''] = /Then: glassbox go-on (\w+)/.exec(other.stderr) ?? [];
  const again = await begin('go-on', second, '--now').ended;
  expect(again.stderr).toContain(`Then: glassbox go-on ${second}`);
  for (const [words, why] of [
    [['go-on', '--now'], 'Say which session'],
    [['go-on', id, '--now', '--never'], 'Say one of'],
    [['run', 'claude', 'x', '--go-on', '--no-store'], '--go-on needs the run to be kept'],
    [['run', 'claude', 'x', '--go-on-times=2'], 'is for --go-on'],
  ] as const)
    expect(await ask(...words)).toMatchObject({ status: 2, stderr: expect.stringContaining(why) });
});

test('the server parks, tells it, and goes on now, by itself and never', async () => {
  const script = path.join(temporaryDirectory(), 'script.json');
  const play = (steps: readonly Step[]) => writeFileSync(script, JSON.stringify(steps));
  const { openStore } = await import('../../src/store/index.js');
  const store = await openStore(path.join(temporaryDirectory(), 'store.db'));
  const presences = createSessionPresences({ store, parked: parkedSource(store) });
  const { client, project } = await serve([], {
    ...{ store, presences },
    runDefaults: { program: FAKE_AGENT, env: { FAKE_AGENT_SCRIPT: script }, survivorGraceMs: 100 },
  });
  const until = Date.now() + HOUR;
  play(limited(until));
  const { session, runId } = await client.start({
    agent: 'claude',
    prompt: 'x',
    cwd: project,
    goOn: 2,
    permission: 'deny',
  });
  for await (const _ of client.events(runId));
  const [parked] = await client.parked();
  expect(parked).toMatchObject({ session, runId, timesLeft: 2, goesOnAt: expect.any(Number), window: 'five_hour' });
  expect(await client.session(session)).toMatchObject({ presence: { state: 'parked', until: parked?.goesOnAt } });
  expect(await client.goOn(session, { at: until + HOUR })).toEqual({ at: until + HOUR });
  // Now, and stopped once more.
  const said = await Promise.all([client.goOn(session), client.goOn(session), client.goOn(session)]);
  const [second = '', ...others] = [...new Set(said.flatMap(({ runId: begun }) => begun ?? []))];
  // Whoever says it twice, it goes on once.
  expect(others).toEqual([]);
  for await (const _ of client.events(second));
  expect(await client.parked()).toMatchObject([{ session, runId: second, timesLeft: 1 }]);
  expect((await client.session(session)).runs).toMatchObject([
    {},
    { prompt: GO_ON_PROMPT, terms: { permission: 'deny' } },
  ]);
  // By itself, when it is time.
  play([init(), text('Done.'), result('Done.')]);
  const watching = client.watchSessions();
  await client.goOn(session, { at: Date.now() + 100 });
  for await (const message of watching)
    if ('sessions' in message && message.sessions.some(({ outcome }) => outcome === 'finished')) break;
  expect(await client.parked()).toEqual([]);
  await expect(client.goOn(session)).rejects.toMatchObject({ status: 409 });
  play(limited(until));
  const other = await client.start({ agent: 'claude', prompt: 'y', cwd: project, permission: 'deny' });
  for await (const _ of client.events(other.runId));
  expect(await client.parked()).toMatchObject([{ runId: other.runId, timesLeft: 0 }]);
  await client.neverGoOn(other.runId);
  expect(await client.parked()).toEqual([]);
});
