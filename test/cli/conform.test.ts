/** `glassbox conform` as a user starts it: the scorecard, the exit status, an own reader, SDKs of vendors, Ctrl-C. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLines } from '../conform/command-lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { glassbox, start } from './glassbox.js';

const bad = (way: string) => ['--', process.execPath, path.resolve('test/conform/driver/bad.mjs'), way];

/** No SDK is installed here. */
const empty = temporaryDirectory();

/** With patience, because a busy machine is no reader that hangs. */
const scored = (...args: string[]) => glassbox(['conform', '--packages', empty, '--limit', '60s', ...args]);

describe('glassbox conform', () => {
  test('scores glassbox beside readers by hand, says why, and names what is not installed', async () => {
    const { stdout, stderr, status } = await scored('--case', 'lines/bom');
    expect(stdout).toMatch(/^Node \S+ +glassbox +readline +split\n/);
    expect(stdout).toMatch(/^a byte order mark +passed +lost +lost\npassed +1\/1 +0\/1 +0\/1\n/m);
    expect(stdout).toContain('readline, lines/bom: lost: 1 of 5 good lines did not come\n');
    expect(stderr).toMatch(/not installed here: .*codex-sdk.*npm install --no-save .*@openai\/codex-sdk/);
    expect(status).toBe(0);
  });

  test('glassbox passes recordings that came with it, in one row for each folder', async () => {
    const { stdout, status } = await scored('--agent', 'amp', '--case', 'amp/');
    const count = readdirSync('test/recordings/amp').length;
    expect(stdout).toMatch(new RegExp(`^amp +${count}/${count}$`, 'm'));
    expect(status).toBe(0);
  });

  test('one reader too bad gives 1, and --json a result a line', async () => {
    const { stdout, status } = await scored('--case', 'lines/blank', '--name', 'mine', '--json', ...bad('loses'));
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results).toContainEqual({
      schema: 1,
      reader: 'mine',
      case: 'lines/blank',
      row: 'blank lines',
      verdict: 'lost',
      lines: 5,
      lost: 1,
      errors: 0,
      reason: '1 of 5 good lines did not come',
    });
    expect(results).toContainEqual(expect.objectContaining({ reader: 'glassbox', verdict: 'passed' }));
    expect(status).toBe(1);
  });

  test('a driver that hangs is told as such, and the others are scored all the same', async () => {
    const { stdout, status } = await glassbox([
      ...['conform', '--packages', empty, '--case', 'lines/blank', '--limit', '5s'],
      ...bad('hangs'),
    ]);
    expect(stdout).toMatch(/^blank lines +hung +passed +passed +passed$/m);
    expect(status).toBe(1);
  });

  test('reads recordings of the user', async () => {
    const folder = temporaryDirectory();
    mkdirSync(path.join(folder, 'codex'));
    writeFileSync(path.join(folder, 'codex', 'mine.jsonl'), '{"type":"turn.started"}\nnoise\n');
    const { stdout, status } = await scored('--recordings', folder, '--case', '/mine');
    expect(stdout).toMatch(/^codex +passed$/m);
    expect(status).toBe(0);
  });

  test.each([
    [['--case', 'no such stream'], 2, /No stream has such a name/],
    [['--agent', 'nobody'], 2, /No agent is called "nobody"/],
    [['--recordings', '/nowhere'], 3, /There is no folder/],
    [['--recordings', 'scripts'], 3, /There are no recordings in/],
  ])('%j is refused', async (args, expected, message) => {
    const { stderr, status } = await scored(...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(expected);
  });

  test('an SDK is scored when it is installed, on its own streams', async () => {
    const packages = temporaryDirectory();
    const folder = path.join(packages, 'node_modules/@openai/codex-sdk');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module","exports":{".":{"import":"./sdk.js"}}}');
    writeFileSync(path.join(folder, 'sdk.js'), sdk);
    const { stdout } = await glassbox(['conform', '--packages', packages, '--agent', 'codex', '--case', 'lines/b']);
    expect(stdout).toMatch(/^Node \S+ +glassbox +readline +split +codex-sdk\n/);
    expect(stdout).toMatch(/^blank lines +passed +passed +passed +died$/m);
    expect(stdout).toMatch(/^codex-sdk, lines\/blank: died: Unexpected end of JSON input; 3 of 6 good lines/m);
    expect(stdout).toMatch(/^bytes that are no UTF-8 +passed +passed +passed +passed$/m);
  });

  test('Ctrl-C ends it with 130, and every reader with it', async () => {
    const folder = temporaryDirectory();
    const mark = path.join(folder, 'hangs');
    const changes = watch(folder)[Symbol.asyncIterator]();
    const created = changes.next();
    const { child, ended } = start(['conform', '--packages', empty, '--case', 'lines/blank', ...bad('hangs'), mark]);
    await created;
    await changes.return?.();
    expect(commandLines().some((line) => line.includes(mark))).toBe(process.platform === 'linux');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 130 });
    expect(commandLines().filter((line) => line.includes(mark))).toEqual([]);
  });

  test('--help teaches the driver protocol', async () => {
    const { stdout } = await glassbox(['conform', '--help']);
    for (const word of ['{"item": …}', '{"end": true}', 'GLASSBOX_CONFORM_STREAM', 'hung'])
      expect(stdout).toContain(word);
  });
});

/** Reads as the real one does: a line that is no JSON is the end. */
const sdk = `
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
export class Codex {
  constructor({ codexPathOverride }) { this.program = codexPathOverride; }
  startThread() { return this; }
  async runStreamed(prompt) {
    const child = spawn(this.program, ['exec'], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(prompt + '\\n');
    return { events: read(child) };
  }
}
async function* read({ stdout }) {
  for await (const line of createInterface({ input: stdout })) yield JSON.parse(line);
}
`;
