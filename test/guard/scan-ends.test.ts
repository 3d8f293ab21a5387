/** A scan ends by itself, whatever the text. It runs in a process of its own, because nothing else could end one that hangs. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/guard/pattern.js';
import { redactionOf } from '../../src/guard/redact.js';
import type { Rule } from '../../src/guard/rule.js';
import { CONTEXT_RULES, PROPERTY_RULE, WORD_RULES } from '../../src/guard/rules.js';
import { createScan, MAX_PLACES, WITHHELD } from '../../src/guard/scan.js';
import { findSuspects } from '../../src/guard/suspect.js';
import { environment } from '../cli/fake-run.js';
import { start } from '../cli/glassbox.js';
import { init, result, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT } from '../fake-agent/play.js';
import { hostileTexts } from '../support/hostile-text.js';

const RULES: readonly Rule[] = [...WORD_RULES, ...CONTEXT_RULES, PROPERTY_RULE];

/** 269 characters that once took for ever. */
const HEADERS_WITHOUT_END = `-----BEGIN PRIVATE KEY-----\n${`Version: ${'0'.repeat(11)}`.repeat(12)}!`;

/** A megabyte that took half an hour to put on one line. */
const SPACES = ' '.repeat(2 ** 20);

/** Far more than any machine needs; what hangs would need for ever. */
const KILLED_AFTER_MS = 240_000;

/** Neighbours are alike: one in so many comes in pieces too, which takes eight times as long. The commit says which. */
const PIECES_EVERY = 20;
const firstInPieces = Number(process.env.GLASSBOX_TEST_SEED ?? 0) % PIECES_EVERY;
const PATIENCE = { timeout: KILLED_AFTER_MS + 60_000 };

describe('a process ends by itself that scans', PATIENCE, () => {
  test('texts made of the words of every rule, each whole and some in pieces', async () => {
    const texts = new Set([HEADERS_WITHOUT_END, ...RULES.flatMap((rule) => hostileTexts(rule, 1_000))]);
    expect(texts.size).toBeGreaterThan(2_000);
    expect(await scanInProcess([...texts])).toEqual({ code: 0, signal: null });
  });

  test('what an agent says and prints', async () => {
    const script = [
      init(),
      text(HEADERS_WITHOUT_END),
      toolUse('t', 'Bash', { command: HEADERS_WITHOUT_END }),
      toolResult('t', HEADERS_WITHOUT_END),
      toolUse('u', 'Bash', { command: `${SPACES}x` }),
      toolResult('u', SPACES),
      { stderr: HEADERS_WITHOUT_END },
      result('done'),
    ];
    const { child, ended } = start(['run', 'claude', 'hi', '--program', FAKE_AGENT], environment(script));
    const killer = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS);
    expect(await ended).toMatchObject({ status: 0, signal: null, stdout: expect.stringContaining('Complete') });
    clearTimeout(killer);
  });
});

describe('a text with too many places that may be secrets', () => {
  const many = 'token: '.repeat(1_000);
  const scan = (maxPlaces: number) =>
    createScan({ patternOf: () => compile(WORD_RULES, CONTEXT_RULES), suspectsIn: findSuspects, maxPlaces });

  test('is withheld from there on, and says so', () => {
    const shown = scan(100).end(`start ${many}`);
    expect(shown.startsWith('start token: ')).toBe(true);
    expect(shown.endsWith(WITHHELD)).toBe(true);
    expect(shown.length).toBeLessThan(1_000);
    expect(scan(100_000).end(`start ${many}`) === `start ${many}`).toBe(true);
  });

  test('shows nothing of what comes after: it may be the rest of a secret', () => {
    const redactor = scan(100);
    expect(redactor.push(many).endsWith(WITHHELD)).toBe(true);
    expect(redactor.push('more ')).toBe('');
    expect(redactor.end('the end')).toBe('');
  });

  test('is one that was made for it: a megabyte of settings is shown', () => {
    const line = 'export SOME_TOKEN=$TOKEN_FROM_ELSEWHERE\n';
    const settings = line.repeat(Math.floor(2 ** 20 / line.length));
    expect(redactionOf('text').redact(settings) === settings).toBe(true);
    expect(redactionOf('text').redact('token: '.repeat(MAX_PLACES)).endsWith(WITHHELD)).toBe(true);
  });
});

function scanInProcess(texts: readonly string[]): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'hostile-')), 'texts.json');
  writeFileSync(file, JSON.stringify(texts));
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, file], { stdio: 'inherit' });
  const killer = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(killer);
      resolve({ code, signal });
    });
  });
}

const PROGRAM = `
import { readFileSync } from 'node:fs';
import { createDecoder, redactText } from ${JSON.stringify(pathToFileURL(path.resolve('dist/index.js')).href)};
const decoder = createDecoder('claude');
const tell = (event) => decoder.push(JSON.stringify({ type: 'stream_event', session_id: 's', event }) + '\\n');
for (const [index, text] of JSON.parse(readFileSync(process.argv[1], 'utf8')).entries()) {
  redactText(text);
  if (index > 0 && index % ${PIECES_EVERY} !== ${firstInPieces}) continue;
  tell({ type: 'message_start', message: { id: 'm' + index, role: 'assistant', content: [] } });
  tell({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't' + index, name: 'Bash', input: {} } });
  for (let at = 0; at < text.length; at += 100)
    tell({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text.slice(at, at + 100) } });
  tell({ type: 'content_block_stop', index: 0 });
}
`;
