import { describe, expect, it } from 'vitest';
import { command, outputFlags } from '../../../src/agent/claude/command.js';
import type { CommandRequest } from '../../../src/agent/command.js';

const base: CommandRequest = { prompt: 'go', mode: 'one-shot', permission: 'deny', cwd: '/repo', deltas: false };
const stream = '--print --output-format stream-json --verbose';
const talk = `${stream} --input-format stream-json --permission-prompt-tool stdio`;
const id = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001';

const vectors: [title: string, request: Partial<CommandRequest>, args: string][] = [
  ['S0-27 S2-03 LL-02 one shot: the prompt behind --', {}, `${stream} --permission-mode=default -- go`],
  ['LL-36 a prompt that looks like a flag', { prompt: '--help' }, `${stream} --permission-mode=default -- --help`],
  [
    'LL-03 S4-12 conversation: no prompt on the command line',
    { mode: 'conversation' },
    `${talk} --permission-mode=default`,
  ],
  ['R-11 ask', { mode: 'conversation', permission: 'ask' }, `${talk} --permission-mode=default`],
  ['R-11 accept-edits', { permission: 'accept-edits' }, `${stream} --permission-mode=acceptEdits -- go`],
  ['R-11 plan', { permission: 'plan' }, `${stream} --permission-mode=plan -- go`],
  ['R-11 bypass', { permission: 'bypass' }, `${stream} --permission-mode=bypassPermissions -- go`],
  ['model', { model: 'opus' }, `${stream} --model=opus --permission-mode=default -- go`],
  [
    'LL-36 a model that looks like a flag',
    { model: '--help' },
    `${stream} --model=--help --permission-mode=default -- go`,
  ],
  ['deltas', { deltas: true }, `${stream} --permission-mode=default --include-partial-messages -- go`],
  ['directories', { addDirs: ['/a', '/b'] }, `${stream} --permission-mode=default --add-dir=/a --add-dir=/b -- go`],
  [
    'wire 32 variadic flags as one value',
    { allowedTools: ['Read', 'Bash(ls)'], disallowedTools: ['Write'] },
    `${stream} --permission-mode=default --allowedTools=Read,Bash(ls) --disallowedTools=Write -- go`,
  ],
  ['an empty list is no flag', { allowedTools: [] }, `${stream} --permission-mode=default -- go`],
  ['MCP', { mcpConfig: 'mcp.json' }, `${stream} --permission-mode=default --mcp-config=mcp.json -- go`],
  [
    'system prompt',
    { systemPrompt: 'Brief.' },
    `${stream} --permission-mode=default --append-system-prompt=Brief. -- go`,
  ],
  [
    'schema',
    { outputSchema: { type: 'object' } },
    `${stream} --permission-mode=default --json-schema={"type":"object"} -- go`,
  ],
  [
    'limits',
    { maxTurns: 3, budgetUsd: 0.5 },
    `${stream} --permission-mode=default --max-turns=3 --max-budget-usd=0.5 -- go`,
  ],
  ['S4-03 resume', { resume: id }, `${stream} --permission-mode=default --resume=${id} -- go`],
  ['continue', { resume: 'latest' }, `${stream} --permission-mode=default --continue -- go`],
  ['fork', { resume: id, fork: true }, `${stream} --permission-mode=default --resume=${id} --fork-session -- go`],
  ['session id', { sessionId: id }, `${stream} --permission-mode=default --session-id=${id} -- go`],
  ['further arguments', { extraArgs: ['--effort=high'] }, `${stream} --permission-mode=default --effort=high -- go`],
];

describe('command', () => {
  it.each(vectors)('%s', (_, request, args) => {
    expect(command({ ...base, ...request }).args.join(' ')).toBe(args);
  });

  it('keeps a prompt over 100 KiB off the command line, counted in bytes', () => {
    const prompt = '€'.repeat(35_000);
    expect(command({ ...base, prompt }).stdin).toEqual({ kind: 'text', text: prompt });
    expect(command({ ...base, prompt }).args).not.toContain('--');
    expect(command({ ...base, prompt: '€'.repeat(34_000) }).stdin).toEqual({ kind: 'none' });
  });

  it.each([
    ['\u007f', 1],
    ['\u0080', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
    ['\u{10000}', 4],
  ])('%j has as many bytes as UTF-8 gives it: %d', (letter, bytes) => {
    const most = (100 * 1024) / bytes;
    expect(command({ ...base, prompt: letter.repeat(most) }).stdin).toEqual({ kind: 'none' });
    expect(command({ ...base, prompt: letter.repeat(most + 1) }).stdin).toMatchObject({ kind: 'text' });
  });

  it('S1-44 never shares or changes a list between calls', () => {
    const extraArgs = Object.freeze(['--effort=high']);
    const first = command({ ...base, extraArgs });
    first.args.push('mine');
    expect(command({ ...base, extraArgs }).args).not.toContain('mine');
    expect(outputFlags).toEqual(['--output-format', 'stream-json', '--verbose']);
  });

  it('T-022 ends within five seconds before SIGKILL', () => {
    for (const mode of ['one-shot', 'conversation'] as const) {
      const waits = command({ ...base, mode }).ending.map((rung) => rung.waitMs);
      expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(5000);
    }
  });
});
