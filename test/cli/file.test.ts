import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { wholeRun } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';
import { newStore } from './fake-run.js';
import { glassbox, recording, temporaryFile } from './glassbox.js';

const printed = '[claude] "Hello from the stub."\n[claude] Complete (cost: $0.0012)\n';

describe('glassbox show', () => {
  test('a recording', async () => {
    expect(await glassbox(['show', recording('basic-text')])).toEqual({
      stdout: printed,
      stderr: '',
      status: 0,
      signal: null,
    });
  });

  test('a run that failed was shown all the same: status 0', async () => {
    expect((await glassbox(['show', recording('api-fail-400')])).status).toBe(0);
  });

  test('several, each under its name; one that is missing stops nobody', async () => {
    const [first, second] = [
      recording('basic-text'),
      temporaryFile('copy.jsonl', readFileSync(recording('basic-text'))),
    ];
    const { stdout, stderr, status } = await glassbox(['show', first, 'missing.jsonl', second]);
    expect(stdout).toBe(`==> ${first} <==\n${printed}\n==> missing.jsonl <==\n\n==> ${second} <==\n${printed}`);
    expect({ stderr, status }).toEqual({ stderr: 'glassbox: There is no file missing.jsonl.\n', status: 3 });
  });

  test.each([
    ['nothing', () => path.resolve('no', 'such', 'file'), /There is no file /],
    ['a directory', () => path.resolve('test'), /is a directory\. Name the files in it/],
    ['an empty file', () => temporaryFile('a.jsonl', ''), /is empty/],
    ['a binary file', () => process.execPath, /is binary/],
    ['a text', () => path.resolve('LICENSE'), /holds no stream of an agent that I know/],
    ['JSON of somebody else', () => path.resolve('package.json'), /holds no stream of an agent that I know/],
    [
      'one object of Gemini CLI',
      () => temporaryFile('a.json', JSON.stringify({ session_id: 's', response: 'Hi.', stats: {} }, undefined, 2)),
      /--output-format stream-json/,
    ],
    [
      'events of a server',
      () => temporaryFile('a.sse', 'data: {"id":"evt_1","type":"server.connected","properties":{}}\n\n'),
      /opencode run --format json/,
    ],
  ])('%s: one clear line, status 3', async (_name, file, message) => {
    const { stdout, stderr, status } = await glassbox(['show', file()]);
    expect({ stdout, status }).toEqual({ stdout: '', status: 3 });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^glassbox: [^\n]*\n$/);
  });

  test('events that --json printed', async () => {
    const { stdout } = await glassbox(['show', '--json', recording('basic-text')]);
    expect((await glassbox(['show', temporaryFile('events.jsonl', stdout)])).stdout).toBe(printed);
  });

  test('events that somebody edited: what cannot be read is told, the rest is printed', async () => {
    const { stdout } = await glassbox(['show', '--json', recording('basic-text')]);
    const [first, ...rest] = stdout.split('\n');
    const edited = [
      first,
      '{oops',
      '{"schema":1,"type":"text-end","seq":1,"at":1,"agent":"claude","text":7}',
      ...rest,
    ].join('\n');
    const shown = await glassbox(['show', '--progress', temporaryFile('events.jsonl', edited)]);
    expect(shown).toMatchObject({ stderr: '', status: 0 });
    expect(shown.stdout).toContain('unreadable line 2 (json_parse, 5 bytes)');
    expect(shown.stdout).toContain('[claude] "Hello from the stub."');
  });
});

describe('glassbox replay', () => {
  test('a kept session by its id with all its runs, and without a word the latest here', async () => {
    const env = { GLASSBOX_STORE: newStore() };
    const store = await openStore(env.GLASSBOX_STORE);
    const told = (runId: string, at: number, text: string) =>
      store.append(wholeRun({ runId, sessionId: 's', at }, { text, cwd: process.cwd() }));
    await told('r1', 1_000_000, 'the first answer');
    // Nobody sits through the night between two runs.
    await told('r2', 90_000_000, 'the second answer');
    const id = (await store.session('r1'))?.id ?? '';
    await store.close();
    const byId = await glassbox(['replay', id, '--speed=1000'], '', env);
    expect(byId).toMatchObject({ status: 0, stderr: '' });
    expect(byId.stdout).toBe((await glassbox(['show', id], '', env)).stdout);
    expect(byId.stdout).toMatch(/first answer.*Complete.*second answer.*Complete/s);
    expect((await glassbox(['replay', '--speed=1000'], '', env)).stdout).toBe(byId.stdout);
    expect(await glassbox(['replay', 'zzzz'], '', env)).toMatchObject({
      status: 3,
      stderr: 'glassbox: There is neither a file nor a session zzzz. glassbox sessions lists the sessions.\n',
    });
    const [letter = ''] = id;
    expect((await glassbox(['replay', letter, '--speed=1000'], '', env)).stdout).toBe(byId.stdout);
    expect((await glassbox(['show', letter], '', env)).stdout).toBe(byId.stdout);
    expect((await glassbox(['show', '!!'], '', env)).stderr).toBe('glassbox: There is no file !!.\n');
  });

  test('a recording with its times beside it', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'glassbox-cli-'));
    const from = path.dirname(recording('basic-text'));
    cpSync(path.join(from, 'stdout.jsonl'), path.join(dir, 'run.jsonl'));
    cpSync(path.join(from, 'meta.json'), path.join(dir, 'run.meta.json'));
    const file = path.join(dir, 'run.jsonl');
    expect(await glassbox(['replay', file, '--speed', '1000'])).toMatchObject({
      stdout: printed,
      stderr: '',
      status: 0,
    });
  });

  test('a recording without times', async () => {
    expect(await glassbox(['replay', recording('basic-text'), '--speed=100'])).toMatchObject({
      stdout: printed,
      status: 0,
    });
  });

  test('what is no recording', async () => {
    const { stderr, status } = await glassbox(['replay', path.resolve('LICENSE'), '--speed=1e9']);
    expect(stderr).toContain('holds no stream of an agent that I know');
    expect(status).toBe(3);
  });
});
