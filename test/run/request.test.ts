import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent, Capabilities } from '../../src/agent/index.js';
import { continueUnder } from '../../src/run/index.js';
import { planRun, type RunRequest, termsOf } from '../../src/run/request/request.js';
import { hasty } from '../fake-agent/play.js';

const base: RunRequest = { agent: hasty, prompt: 'go' };

function agentWith(capabilities: Partial<Capabilities>): Agent {
  return { ...hasty, title: 'Toy', capabilities: { ...hasty.capabilities, ...capabilities } };
}

const refused: [title: string, request: Partial<RunRequest>, code: string, message: string | RegExp][] = [
  ['an unknown agent', { agent: 'nobody' }, 'unknown-agent', /No agent is called "nobody"/],
  ['an empty prompt', { prompt: ' \n' }, 'invalid-request', 'prompt must not be empty'],
  ['no prompt', { prompt: undefined }, 'invalid-request', 'prompt must not be empty'],
  ['a prompt that no program can be given', { prompt: 'a\0b' }, 'invalid-request', /NUL/],
  ['a wrong permission', { permission: 'yes' as 'ask' }, 'invalid-request', /permission must be one of ask/],
  ['a negative timeout', { timeoutMs: -1 }, 'invalid-request', /timeoutMs must be between/],
  ['a timeout that is no number', { timeoutMs: Number.NaN }, 'invalid-request', /timeoutMs must be between/],
  ['a timeout beyond the timers', { timeoutMs: 2 ** 31 }, 'invalid-request', /timeoutMs must be between/],
  ['a budget of nothing', { budgetUsd: 0 }, 'invalid-request', /budgetUsd must be more than 0/],
  ['no turns', { maxTurns: 0 }, 'invalid-request', /maxTurns must be more than 0/],
  ['LL-36 a session id that is a flag', { resume: '--help' }, 'invalid-request', /^invalid resume: write one word/],
  ['a session id that is a path', { sessionId: '../x' }, 'invalid-request', /^invalid sessionId: write/],
  ['a run id that is a path', { runId: 'a/b' }, 'invalid-request', /^invalid runId: write/],
  ['an empty model', { model: '' }, 'invalid-request', /^invalid model: write its name .* or leave it out/],
  ['a model that is a flag', { model: '-x' }, 'invalid-request', /^invalid model: write its name .* hyphen/],
  ...emptyTexts(),
  ['a fork of nothing', { fork: true }, 'invalid-request', 'fork needs resume'],
  ['an id for a resumed session', { resume: 'a', sessionId: 'b' }, 'invalid-request', /exclude each other/],
  ['LL-37 a reserved flag', { args: ['--print'] }, 'invalid-request', /--print is set by glassbox/],
  [
    'LL-37 a reserved flag with a value',
    { args: ['--permission-mode=x'] },
    'invalid-request',
    /--permission-mode is set/,
  ],
  ['LL-37 the end of flags', { args: ['--'] }, 'invalid-request', /-- is set by glassbox/],
  [
    'what the agent cannot do',
    { agent: agentWith({ model: false }), model: 'm' },
    'unsupported-capability',
    'Toy cannot be given a model (model). Choose it in its own configuration.',
  ],
  [
    'an effort where the agent takes none',
    { agent: { ...agentWith({}), efforts: [] }, effort: 'high' },
    'unsupported-capability',
    'Toy cannot be told to think like this (effort). Choose it in its own configuration.',
  ],
  [
    'an effort that the agent does not know',
    { agent: { ...agentWith({}), efforts: ['low', 'high'] }, effort: 'bogus' },
    'unsupported-capability',
    'Toy cannot be told to think like this (effort). It knows low, high.',
  ],
  [
    'a budget without figures',
    { agent: agentWith({ cost: false }), budgetUsd: 1 },
    'unsupported-capability',
    /no budget in USD/,
  ],
  [
    'the latest session',
    { agent: agentWith({ continueLast: false }), resume: 'latest' },
    'unsupported-capability',
    'Toy cannot resume its latest session (resume). Give the id of the session.',
  ],
  ...beyondLimits(),
];

/** What an empty text would mean, each program would decide in its own way. */
function emptyTexts(): typeof refused {
  const texts: Partial<RunRequest>[] = [
    ...[{ cwd: '' }, { program: ' ' }, { systemPrompt: '' }, { mcpConfig: '' }],
    ...[{ addDirs: ['/a', ''] }, { allowedTools: [''] }, { disallowedTools: [' '] }],
  ];
  return texts.map((request) => {
    const [name = ''] = Object.keys(request);
    return [`an empty ${name}`, request, 'invalid-request', new RegExp(`^${name} must not be empty: leave it out`)];
  });
}

/** Capabilities with a limit: what is beyond it is refused before the start, and what to do instead is told. */
function beyondLimits(): typeof refused {
  const fork = { resume: 'abc', fork: true, permission: 'bypass' } as const;
  const cases: [agent: string, request: Partial<RunRequest>, allowed: Partial<RunRequest>, message: RegExp][] = [
    ['droid', { ...fork, permission: 'ask' }, fork, /cannot fork a session while it asks.*permission bypass/],
    ['droid', { ...fork, keepOpen: true }, fork, /cannot fork a session/],
    ['pi', { resume: 'latest', fork: true }, { resume: 'abc', fork: true }, /cannot fork its latest.*Give the id/],
    ['codex', { mcpConfig: 'servers.json' }, { mcpConfig: '{"mcpServers":{}}' }, /cannot read MCP servers from a file/],
    ['opencode', { mcpConfig: 'servers.json' }, { mcpConfig: '{}' }, /cannot read MCP servers from a file/],
    ['acp', { mcpConfig: 'servers.json' }, { mcpConfig: '{}' }, /cannot read MCP servers from a file/],
    ['gemini', { disallowedTools: ['x'] }, { allowedTools: ['x'] }, /cannot be told which tools not to use/],
    ['kimi', { mcpConfig: 'servers.json' }, { mcpConfig: '{}' }, /cannot read MCP servers from a file/],
    ['copilot', { sessionId: 'mine' }, { sessionId: randomUUID() }, /cannot take a session id that is no UUID/],
  ];
  return cases.map(([agent, request, allowed, message]) => {
    planRun({ ...base, agent, ...allowed });
    return [`${agent} beyond its limit`, { agent, ...request }, 'unsupported-capability', message];
  });
}

describe('the check of a request', () => {
  it.each(refused)('U-2.3 refuses %s', (_, request, code, message) => {
    const check = () => planRun({ ...base, ...request });
    expect(check).toThrow(expect.objectContaining({ name: 'GlassboxError', code }));
    expect(check).toThrow(message);
  });

  it('U-2.3 goes in order: prompt, capabilities, values, contradictions', () => {
    const all: Partial<RunRequest> = { agent: agentWith({ model: false }), prompt: '', model: '-x', fork: true };
    const order = [
      { ...all },
      { ...all, prompt: 'go' },
      { ...all, prompt: 'go', agent: hasty },
      { ...all, prompt: 'go', agent: hasty, model: 'm' },
    ];
    const messages = order.map((request) => {
      try {
        return planRun({ ...base, ...request });
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    });
    expect(messages).toEqual([
      'prompt must not be empty',
      'Toy cannot be given a model (model). Choose it in its own configuration.',
      expect.stringMatching(/^invalid model/),
      'fork needs resume',
    ]);
  });

  it.each([
    ['prompt', { prompt: 'a\0' }],
    ['cwd', { cwd: '/a\0b' }],
    ['program', { program: 'x\0' }],
    ['systemPrompt', { systemPrompt: '\0' }],
    ['addDirs', { addDirs: ['/a', '/b\0'] }],
    ['args', { args: ['--x=\0'] }],
    ['env', { env: { NAME: 'a\0b' } }],
    ['env', { env: { 'NA\0ME': 'a' } }],
  ] satisfies [string, Partial<RunRequest>][])(
    'refuses a NUL in %s, which would be refused only when the run has begun',
    (name, request) => {
      expect(() => planRun({ ...base, ...request })).toThrow(`${name} must not contain a NUL character`);
    },
  );

  it('never repeats a refused value, which may be a secret', () => {
    expect(() => planRun({ ...base, model: '-sk-secret' })).toThrow(/^(?!.*secret)/s);
  });

  it.each([
    ['asking', {}, 'conversation'],
    ['accepting edits', { permission: 'accept-edits' }, 'conversation'],
    ['denying', { permission: 'deny' }, 'one-shot'],
    ['denying with rules', { permission: 'deny', rules: [{ decision: 'allow', kind: 'read' }] }, 'conversation'],
    ['bypassing', { permission: 'bypass' }, 'one-shot'],
    ['staying open', { permission: 'bypass', keepOpen: true }, 'conversation'],
    ['asking one that cannot be answered', { agent: agentWith({ approvals: false }) }, 'one-shot'],
    ['staying open with such a one', { agent: agentWith({ approvals: false }), keepOpen: true }, 'conversation'],
  ] satisfies [string, Partial<RunRequest>, string][])('R-10 %s is a %s', (_, request, mode) => {
    expect(planRun({ ...base, ...request }).command.mode).toBe(mode);
  });

  it('LL-27 U-2.3 resolves directories against the one at the time of the call, once each', () => {
    const { command, policy } = planRun({ ...base, cwd: 'sub', addDirs: ['../a', path.resolve('a'), '/b'] });
    expect(command.cwd).toBe(path.resolve('sub'));
    expect(command.addDirs).toEqual([path.resolve('a'), '/b']);
    expect(policy.place.cwd).toBe(path.resolve('sub'));
  });

  it('S1-44 never changes what it is given', () => {
    const request = Object.freeze({ ...base, args: Object.freeze(['--effort=high']), addDirs: Object.freeze(['a']) });
    expect(planRun(request).command.extraArgs).toEqual(['--effort=high']);
  });
});

it('tells how far the run may go, and what continues its session has limits of its own', () => {
  const limits = { timeoutMs: 60_000, budgetUsd: 2, maxTurns: 3 };
  const terms = termsOf(planRun({ agent: 'claude', prompt: 'p', ...limits }), undefined);
  expect(terms.limits).toEqual(limits);
  expect(continueUnder(terms)).toEqual({ permission: terms.permission });
  expect(termsOf(planRun({ agent: 'claude', prompt: 'p', timeoutMs: 0 }), undefined)).not.toHaveProperty('limits');
});
