/** A session for others: complete, and harmless wherever it is opened. */
import { expect, test } from 'vitest';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { exportSession } from '../../src/export/index.js';
import {
  init,
  interruptedResult,
  printed,
  result,
  type Step,
  say,
  text,
  toolResult,
  toolUse,
} from '../fake-agent/lines.js';

const formats = ['html', 'markdown'] as const;

function exported(format: (typeof formats)[number], ...steps: readonly Step[]): string {
  const decoder = createDecoder('claude');
  const events = decoder.push(printed(...steps));
  return exportSession([...events, ...decoder.end()], { format, title: 'A <title>' });
}

const session = [
  init(),
  text('I look.'),
  toolUse('t1', 'Bash', { command: 'ls' }),
  toolResult('t1', 'a.txt'),
  result('Done.', { total_cost_usd: 0.25 }),
];

test.each(formats)('%s holds what was said, done and spent', (format) => {
  const document = exported(format, ...session);
  for (const part of ['I look.', 'Bash: ls', 'a.txt', '$0.2500']) expect(document).toContain(part);
});

test.each(formats)('%s says of a turn that was cut that nobody knows how it ended', (format) => {
  expect(exported(format, init(), text('I look.'))).toContain('The turn ended without a result.');
  expect(exported(format, ...session)).not.toContain('without a result');
});

test.each(formats)(
  '%s says how a run ended that did not simply finish, and whose last turn does not tell',
  (format) => {
    const decoder = createDecoder('claude');
    const [first] = [...decoder.push(printed(init())), ...decoder.end()];
    const end = { type: 'run-end', reason: 'crashed', turns: 0, error: { category: 'unknown', message: 'status 7' } };
    const crashed = [{ ...first, ...end, seq: 2 }] as AgentEvent[];
    expect(exportSession(crashed, { format, title: 'T' })).toContain('The agent crashed: status 7');
    expect(exported(format, ...session)).not.toContain('crashed');
  },
);

test.each([
  ['crashed', 'error'],
  ['cancelled', 'warning'],
] as const)('a run that was %s is told as %s', (reason, level) => {
  const decoder = createDecoder('claude');
  const [first] = [...decoder.push(printed(init())), ...decoder.end()];
  const ended = [{ ...first, type: 'run-end', reason, turns: 0, seq: 2 }] as AgentEvent[];
  expect(exportSession(ended, { format: 'html', title: 'T' })).toContain(`<p class="${level}">`);
});

test.each(formats)('%s ends lines in one way, whatever the agent printed', (format) => {
  expect(exported(format, init(), toolUse('t', 'Bash', { command: 'x' }), toolResult('t', 'a\r\nb\rc'))).toContain(
    'a\nb\nc',
  );
});

test.each(formats)('%s tells an interrupt once, and not as an error', (format) => {
  const words = say({ type: 'user', message: { role: 'user', content: '[Request interrupted by user]' } });
  const document = exported(format, init(), text('I look.'), words, interruptedResult());
  expect(document.match(/interrupted/gi)).toHaveLength(1);
  expect(document).not.toMatch(/class="error"|\*\*Error/i);
});

test.each(formats)('%s does not tell the end of a run that was interrupted by its turn', (format) => {
  const decoder = createDecoder('claude');
  const events = [...decoder.push(printed(init(), text('I look.'), interruptedResult())), ...decoder.end()];
  const end = { type: 'run-end', reason: 'cancelled', turns: 1, seq: events.length + 1 };
  const ended = [...events, { ...events[0], ...end }] as AgentEvent[];
  const document = exportSession(ended, { format, title: 'T' });
  expect(document).toMatch(/interrupted/i);
  expect(document).not.toMatch(/cancelled|stopped/i);
});

test.each(formats)('%s hides nothing between what one text begins and another ends', (format) => {
  const command = 'echo \x1b]0;$(rm -rf a) \x1b[1;rm -rf b';
  const document = exported(
    format,
    init(),
    text('Hello \x1b]'),
    toolUse('t', 'Bash', { command }),
    toolResult('t', 'gone'),
    text('Bye \x07', 'msg_2'),
  );
  for (const part of ['$(rm -rf a)', ';rm -rf b', 'gone', 'Bye']) expect(document).toContain(part);
});

test.each(formats)('%s has no colours of a program, no escape and no direction characters', (format) => {
  const hostile = '\x1b[31mred\x1b[0m \x1b]0;owned\x07 \u202egnp.exe\u2066 \u{e0049}\ufeff\u206e\u2028 \x9b2J\r\nnext';
  const document = exported(
    format,
    init(),
    text(hostile.replace('\x1b[31m', '')),
    toolUse('t', 'Bash', { command: 'x' }),
    toolResult('t', hostile),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(document).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028\u2066\u206e\ufeff\u{e0049}]|\[31m/u);
  expect(document).toContain('red');
  expect(document).toContain('\ufffdgnp.exe\ufffd');
});

test.each(formats)('%s says which tokens are not known', (format) => {
  const usage = { inputTokens: 3, outputTokens: 5, lacks: 'sub-agents' };
  const decoder = createDecoder('claude');
  const events = [...decoder.push(printed(...session)), ...decoder.end()];
  const lacking = events.map((event) => (event.type === 'turn-end' ? { ...event, usage } : event)) as AgentEvent[];
  expect(exportSession(lacking, { format, title: 'T' })).toContain('5 out, without sub-agents');
});

test('HTML asks for nothing and runs nothing', () => {
  const document = exported('html', init(), text('<img src=x onerror=alert(1)><script>alert(1)</script>'));
  expect(document).toContain("default-src 'none'");
  expect(document).not.toMatch(/<script|<img|https?:/i);
  expect(document).toContain('<title>A &#60;title&#62;</title>');
});

test('a secret that the agent printed is in neither', () => {
  const key = `sk-ant-api03-${'a1B2'.repeat(23)}AA`;
  for (const format of formats) expect(exported(format, init(), text(`the key is ${key}`))).not.toContain(key);
});

test('in Markdown a fence inside does not end the fence around it', () => {
  const document = exported(
    'markdown',
    init(),
    toolUse('t', 'Bash', { command: 'x' }),
    toolResult('t', '```\nout\n```'),
  );
  expect(document).toContain('````\n```\nout\n```\n````');
});
