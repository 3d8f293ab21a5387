/** What an agent says on stderr is redacted for whoever gets it, like everything else. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { RunRequest } from '../../src/run/index.js';
import { superviseProcess } from '../../src/run/process/agent-process.js';
import { answer, type Step } from '../fake-agent/lines.js';
import { play, readAll, temporaryDirectory } from '../fake-agent/play.js';

const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;

async function heardOf(script: readonly Step[], request: Partial<RunRequest> = {}, onText?: (text: string) => void) {
  let heard = '';
  const stderr = (text: string) => {
    heard += text;
    onText?.(heard);
  };
  const handle = play([...script, ...answer('x')], { stderr, ...request });
  await readAll(handle);
  await handle.completion;
  return { heard, tail: handle.stderrTail() };
}

test('a secret that comes in pieces', async () => {
  const file = path.join(temporaryDirectory(), 'heard');
  const script = [{ stderr: `before ${TOKEN.slice(0, 20)}` }, { file }, { stderr: `${TOKEN.slice(20)} after\n` }];
  // The second piece is written when the beginning of the first was heard, so that they never come as one.
  const { heard, tail } = await heardOf(script, {}, (text) => text === 'before ' && writeFileSync(file, ''));
  expect(heard).toBe('before [redacted:github-token] after\n');
  expect(tail).toBe(heard);
});

test.each([
  ['what may have become a secret is heard at the end', `token ${TOKEN.slice(0, 10)}`, `token ${TOKEN.slice(0, 10)}`],
  ['a secret that is the end', 'DB_PASSWORD=Sup3rS3cretVal', 'DB_PASSWORD=[redacted:credential]'],
  ['U+0000', 'a\0b', 'a\ufffdb'],
])('%s', async (_, said, expected) => {
  const { heard, tail } = await heardOf([{ stderr: said }]);
  expect(heard).toBe(expected);
  expect(tail).toBe(expected);
});

test('the tail never begins within a secret', async () => {
  const { tail } = await heardOf([{ stderr: `${TOKEN} `, times: 2_000 }], { stderr: 'tail' });
  expect(tail.length).toBe(8 * 1024);
  expect(tail).not.toMatch(/[a-d][1-4][A-D]/i);
});

test('the last words are heard, also when they come after the death and the output ended long before', async () => {
  const launcher = 'exec 1>&-; { read -r _ <&3; echo last words >&2; } & kill -9 $$';
  const child = spawn('sh', ['-c', launcher], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: true });
  const teller = child.stdio[3] as Writable;
  const heard: string[] = [];
  const { gone } = superviseProcess(child, {
    runId: 'r1',
    // The last thing that is asked for before the output counts as read.
    family: { known: () => [], look: async () => {}, stop: () => teller.end('\n') },
    ladder: [],
    survivors: 'keep',
    graceMs: 0,
    onData() {},
    lowLatency: false,
    stderr: { push: (text) => heard.push(text), end: () => heard.push('(end)') },
    interrupt: () => false,
    quiet: async () => {},
  });
  expect(await gone).toMatchObject({ signal: 'SIGKILL' });
  expect(heard).toEqual(['last words\n', '(end)']);
});

test('rules of the request hold here too', async () => {
  const { heard } = await heardOf([{ stderr: 'badge B123456\n' }], {
    guard: { rules: [{ name: 'badge', match: 'B[0-9]{6}' }], maxFieldBytes: 10 },
  });
  expect(heard).toBe('badge [redacted:badge]\n');
});

test.each([false, { redact: false }] as const)('nothing is redacted where that was asked for: %j', async (guard) => {
  expect(await heardOf([{ stderr: `${TOKEN}\n` }], { guard })).toEqual({ heard: `${TOKEN}\n`, tail: `${TOKEN}\n` });
});

test('a failure to start is told without the secret that is in it', async () => {
  const handle = play([], { program: `/nowhere/${TOKEN}` });
  const events = await readAll(handle);
  const completion = await handle.completion;
  expect(completion).toMatchObject({
    reason: 'spawn-failed',
    error: { message: expect.stringContaining('[redacted') },
  });
  expect(JSON.stringify([completion, events])).not.toContain(TOKEN);
});

test('a secret with colours in it, which go', async () => {
  const coloured = `before \u001b[31m${TOKEN.slice(0, 20)}\u001b[0m${TOKEN.slice(20)} after\n`;
  const { heard, tail } = await heardOf([{ stderr: coloured }]);
  expect(heard).toBe('before [redacted:github-token] after\n');
  expect(tail).toBe(heard);
  expect((await heardOf([{ stderr: coloured }], { guard: { redact: false } })).heard).toBe(coloured);
});
