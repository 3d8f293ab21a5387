import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AskedCall, Targets, ToolKind } from '../../src/event/index.js';
import { judge, type Policy, policyWarnings } from '../../src/run/approval/policy.js';
import { type Asked, describeRule, findRule, type Rule } from '../../src/run/approval/rule.js';
import { hasty, temporaryDirectory } from '../fake-agent/play.js';

const place = { cwd: '/repo', home: '/home/me' };

type Call = [tool: string, kind: ToolKind, targets: Targets];
const bash = (command: string): Call => ['Bash', 'execute', { command }];
const edit = (...paths: string[]): Call => ['Edit', 'edit', { paths }];
const read = (file: string): Call => ['Read', 'read', { paths: [file] }];
const fetch = (...hosts: string[]): Call => ['WebFetch', 'fetch', { hosts }];

const cases: [title: string, rule: Rule, call: Call, matches: boolean][] = [
  ['a kind', { decision: 'allow', kind: 'read' }, read('a.ts'), true],
  ['another kind', { decision: 'allow', kind: 'read' }, edit('a.ts'), false],
  ['a tool', { decision: 'allow', tool: 'Bash' }, bash('ls'), true],
  ['a tool in another case', { decision: 'allow', tool: 'bash' }, bash('ls'), true],
  ['tools by star', { decision: 'allow', tool: 'mcp__git__*' }, ['mcp__git__log', 'other', {}], true],
  ['a dot in a name is a dot', { decision: 'allow', tool: 'B.sh' }, bash('ls'), false],
  ['a glob below the directory', { decision: 'allow', path: 'src/**' }, edit('src/deep/a.ts'), true],
  ['the same, absolute', { decision: 'allow', path: 'src/**' }, edit('/repo/src/a.ts'), true],
  ['the directory itself', { decision: 'allow', path: 'src/**' }, ['Grep', 'search', { paths: ['src'] }], true],
  ['but not one that begins like it', { decision: 'allow', path: 'src/**' }, edit('src2/a.ts'), false],
  ['one star stays in its directory', { decision: 'allow', path: 'src/*' }, edit('src/deep/a.ts'), false],
  ['a path cannot climb out', { decision: 'allow', path: 'src/**' }, edit('src/../../etc/passwd'), false],
  ['two stars in front match anywhere', { decision: 'deny', path: '**/.env' }, read('/srv/app/.env'), true],
  ['also at the top', { decision: 'deny', path: '**/.env' }, read('.env'), true],
  ['but not another name', { decision: 'deny', path: '**/.env' }, read('my.env'), false],
  ['home', { decision: 'deny', path: '~/.ssh/**' }, read('/home/me/.ssh/id'), true],
  ['home as the agent says it', { decision: 'deny', path: '~/.ssh/**' }, read('~/x/../.ssh/id'), true],
  ['a question mark', { decision: 'allow', path: 'a?.ts' }, edit('ab.ts'), true],
  ['brackets are letters', { decision: 'allow', path: 'a[1].ts' }, edit('a[1].ts'), true],
  ['no path, no match', { decision: 'allow', path: '**' }, bash('ls'), false],
  [
    'a path of a command is none to allow by',
    { decision: 'allow', path: '**' },
    ['Bash', 'execute', { paths: ['a'] }],
    false,
  ],
  [
    'a path of a tool of another kind too',
    { decision: 'allow', path: '**' },
    ['mcp__x__y', 'other', { paths: ['a'] }],
    false,
  ],
  [
    'unless it is named',
    { decision: 'allow', tool: 'mcp__x__*', path: '**' },
    ['mcp__x__y', 'other', { paths: ['a'] }],
    true,
  ],
  ['to forbid, any tool', { decision: 'deny', path: '**/.env' }, ['mcp__x__y', 'other', { paths: ['.env'] }], true],
  ['an edit of unknown files is never allowed', { decision: 'allow', kind: 'edit' }, ['Edit', 'edit', {}], false],
  ['nor by its name', { decision: 'allow', tool: '*' }, ['Edit', 'edit', {}], false],
  ['every path must be allowed', { decision: 'allow', path: 'src/**' }, edit('src/a.ts', '/etc/hosts'), false],
  ['one is enough to forbid', { decision: 'deny', path: 'src/**' }, edit('src/a.ts', '/etc/hosts'), true],
  ['a command', { decision: 'allow', command: 'npm test' }, bash('npm test'), true],
  ['with anything behind', { decision: 'allow', command: 'npm test *' }, bash('npm test -- --run x'), true],
  ['or nothing behind', { decision: 'allow', command: 'npm test *' }, bash('npm test'), true],
  ['not a longer word', { decision: 'allow', command: 'npm test *' }, bash('npm testify'), false],
  ['allow: not over &&', { decision: 'allow', command: 'npm test *' }, bash('npm test && rm -rf ~'), false],
  ['allow: not over a pipe', { decision: 'allow', command: 'cat *' }, bash('cat a | sh'), false],
  ['allow: not over a substitution', { decision: 'allow', command: 'echo *' }, bash('echo $(rm a)'), false],
  ['allow: not over backticks', { decision: 'allow', command: 'echo *' }, bash('echo `rm a`'), false],
  ['allow: not over a redirection', { decision: 'allow', command: 'echo *' }, bash('echo x > ~/.bashrc'), false],
  ['allow: not over a new line', { decision: 'allow', command: 'echo *' }, bash('echo x\nrm a'), false],
  ['allow: nor one right behind', { decision: 'allow', command: 'npm test *' }, bash('npm test\nrm -rf ~'), false],
  ['allow: nor a return', { decision: 'allow', command: 'npm test *' }, bash('npm test\rrm -rf ~'), false],
  ['allow: over a tab', { decision: 'allow', command: 'npm test *' }, bash('npm test\tx'), true],
  ['deny: what a shell is given', { decision: 'deny', command: 'rm *' }, bash(`./bash -lc 'cd x; rm -rf ~'`), true],
  ['deny: in other quotes', { decision: 'deny', command: 'rm *' }, bash('env -i sh -e -c "rm -rf ~" x'), true],
  ['deny: not what others are given', { decision: 'deny', command: 'rm *' }, bash(`grep -c 'rm x' a.sh`), false],
  [
    'allow: not a tool that has a command',
    { decision: 'allow', command: 'ls' },
    ['mcp__x__y', 'other', { command: 'ls' }],
    false,
  ],
  ['deny: anywhere in the line', { decision: 'deny', command: 'rm *' }, bash('cd x && rm -rf .'), true],
  ['deny: in a substitution', { decision: 'deny', command: 'rm *' }, bash('echo $(rm a)'), true],
  ['deny: not a part of a word', { decision: 'deny', command: 'rm *' }, bash('npm ci && alarm x'), false],
  ['a host', { decision: 'allow', host: 'example.org' }, fetch('example.org'), true],
  ['a host in another case', { decision: 'deny', host: 'Example.org' }, fetch('EXAMPLE.ORG'), true],
  ['a host with encoded letters', { decision: 'deny', host: 'example.org' }, fetch('ex%61mple.org'), true],
  ['a host with a dot behind', { decision: 'deny', host: 'example.org' }, fetch('example.org.'), true],
  ['an address as one number', { decision: 'deny', host: '127.0.0.1' }, fetch('2130706433'), true],
  ['hosts below', { decision: 'allow', host: '*.example.org' }, fetch('a.b.example.org'), true],
  ['not what only ends like it', { decision: 'allow', host: '*.example.org' }, fetch('evilexample.org'), false],
  ['every host must be allowed', { decision: 'allow', host: 'example.org' }, fetch('example.org', 'evil.org'), false],
  ['one host is enough to forbid', { decision: 'deny', host: 'evil.org' }, fetch('example.org', 'evil.org'), true],
  ['all that is said must match', { decision: 'allow', tool: 'Bash', path: 'src/**' }, bash('ls'), false],
];

describe('rules', () => {
  it.each(cases)('%s', (_, rule, call, matches) => {
    expect(findRule([rule], request(...call), place)?.decision === rule.decision).toBe(matches);
  });

  it('deny goes before ask before allow, whatever their order', () => {
    const rules: Rule[] = [
      { decision: 'allow', tool: 'Bash' },
      { decision: 'ask', command: 'git push *' },
      { decision: 'deny', command: 'git push --force *' },
    ];
    const decide = (command: string) => findRule(rules, request(...bash(command)), place)?.decision;
    expect(decide('ls')).toBe('allow');
    expect(decide('git push origin')).toBe('ask');
    expect(decide('git push --force origin')).toBe('deny');
  });

  it.each<[string, Rule, Call]>([
    ['an edit of unknown files', { decision: 'deny', path: '**/.env' }, ['Edit', 'edit', {}]],
    ['reading unknown files', { decision: 'deny', path: '**/.env' }, ['Read', 'read', {}]],
    ['deleting unknown files', { decision: 'deny', path: '**/.env', kind: 'delete' }, ['rm', 'delete', {}]],
    ['an unknown command', { decision: 'deny', command: 'rm *' }, ['Bash', 'execute', {}]],
    ['unknown hosts', { decision: 'deny', host: 'evil.org' }, ['WebFetch', 'fetch', {}]],
  ])('a rule that forbids asks about %s', (_, rule, call) => {
    const rules: Rule[] = [rule, { decision: 'allow', tool: '*' }];
    expect(findRule(rules, request(...call), place)).toEqual({ decision: 'ask', rule: describeRule(rule) });
  });

  it('but not about what needs none: commands are judged by rules about commands', () => {
    const rules: Rule[] = [
      { decision: 'deny', path: '**/.env' },
      { decision: 'deny', host: 'evil.org' },
      { decision: 'allow', tool: '*' },
    ];
    expect(findRule(rules, request(...bash('ls')), place)?.decision).toBe('allow');
  });

  it('the path at which an agent was stopped counts', () => {
    const asked = { ...request(...bash('cat x')), blockedPath: '/etc/shadow' };
    expect(findRule([{ decision: 'deny', path: '/etc/**' }], asked, place)?.decision).toBe('deny');
  });

  it('paths are those of the directory in which the call would happen', () => {
    const asked = { ...request(...edit('a.ts')), directory: 'sub' };
    expect(findRule([{ decision: 'deny', path: 'sub/*' }], asked, place)?.decision).toBe('deny');
    expect(findRule([{ decision: 'deny', path: 'a.ts' }], asked, place)).toBeUndefined();
  });

  it('describes itself for events', () => {
    expect(describeRule({ decision: 'deny', tool: 'Bash', command: 'rm *' })).toBe('deny tool=Bash command=rm *');
  });
});

describe('rules about links and directories', () => {
  const cwd = temporaryDirectory();
  const here = { cwd, home: '/home/me' };
  mkdirSync(path.join(cwd, 'src'));
  mkdirSync(path.join(cwd, 'secret'));
  writeFileSync(path.join(cwd, 'secret', 'key'), '');
  symlinkSync(path.join(cwd, 'secret'), path.join(cwd, 'src', 'way'));
  symlinkSync('/etc/not-there-yet', path.join(cwd, 'src', 'out'));
  symlinkSync(path.join(cwd, 'src'), path.join(cwd, 'also'));
  symlinkSync('/proc/self/cwd/secret', path.join(cwd, 'src', 'own'));
  writeFileSync(path.join(cwd, 'secret', 'twice'), '');
  linkSync(path.join(cwd, 'secret', 'twice'), path.join(cwd, 'src', 'second'));
  writeFileSync(path.join(cwd, 'src', 'single'), '');
  symlinkSync('second', path.join(cwd, 'src', 'to-second'));
  const decide = (rule: Rule, call: Call) => findRule([rule], request(...call), here)?.decision;

  it.each<[string, Rule, Call, Rule['decision'] | undefined]>([
    ['a link into what is forbidden', { decision: 'deny', path: 'secret/**' }, read('src/way/key'), 'deny'],
    ['the link itself', { decision: 'deny', path: 'src/way/**' }, read('src/way/key'), 'deny'],
    ['a glob that goes by a link', { decision: 'deny', path: 'also/way/**' }, read('secret/key'), 'deny'],
    ['a link out of what is allowed', { decision: 'allow', path: 'src/**' }, edit('src/out'), undefined],
    ['a new file behind a link', { decision: 'allow', path: 'src/**' }, edit('src/way/new'), undefined],
    ['a link into what is allowed', { decision: 'allow', path: 'src/**' }, edit('also/a.ts'), 'allow'],
    ['up from behind a link, as the system goes', { decision: 'deny', path: 'top' }, read('src/way/../top'), 'deny'],
    ['up from behind a link, as it is read', { decision: 'deny', path: 'src/top' }, read('src/way/../top'), 'deny'],
    ['up from behind a link, to be allowed', { decision: 'allow', path: 'src/**' }, edit('src/way/../top'), undefined],
    ['up and down again', { decision: 'allow', path: 'src/**' }, edit('src/deep/../a.ts'), 'allow'],
    ['below a forbidden directory', { decision: 'deny', path: 'secret' }, read('secret/key'), 'deny'],
    ['in one by a wildcard', { decision: 'deny', path: 'secret/*' }, read('secret/key'), 'deny'],
    ['not below one by a wildcard', { decision: 'deny', path: 'secret/*' }, read('secret/new/key'), undefined],
    ['below one with a slash', { decision: 'deny', path: 'secret/' }, read('secret/new/key'), 'deny'],
    ['below one anywhere', { decision: 'deny', path: '**/secret' }, read('secret/key'), 'deny'],
    ['behind a link into it', { decision: 'ask', path: 'secret' }, read('src/way/key'), 'ask'],
    ['below everything', { decision: 'deny', path: '/' }, read('secret/key'), 'deny'],
    ['beside it', { decision: 'deny', path: 'secret' }, read('secrets'), undefined],
    ['below what is allowed, but not all of it', { decision: 'allow', path: 'src' }, edit('src/a.ts'), undefined],
    [
      'a search above what is forbidden',
      { decision: 'deny', path: '**/key' },
      ['Grep', 'search', { paths: ['.'] }],
      'ask',
    ],
    [
      'a search right where something may be forbidden',
      { decision: 'deny', path: 'src/*.key' },
      ['Grep', 'search', { paths: ['src'] }],
      'ask',
    ],
    [
      'a search of everything, with a wildcard at the root',
      { decision: 'deny', path: '/*.key' },
      ['Grep', 'search', { paths: ['/'] }],
      'ask',
    ],
    [
      'a search of one file',
      { decision: 'deny', path: '**/.env' },
      ['Grep', 'search', { paths: ['secret/key'] }],
      undefined,
    ],
    ['a search beside it', { decision: 'deny', path: 'secret/*' }, ['Grep', 'search', { paths: ['src'] }], undefined],
    [
      'deleting a directory above',
      { decision: 'deny', path: 'secret/key' },
      ['rm', 'delete', { paths: ['secret'] }],
      'ask',
    ],
    [
      'moving the directory itself',
      { decision: 'deny', path: 'secret/**' },
      ['mv', 'move', { paths: ['secret', 'b'] }],
      'deny',
    ],
    ['no path at all', { decision: 'allow', path: '**' }, edit(`a\0b`), undefined],
    ['a path that nobody can open', { decision: 'allow', path: '**' }, edit('a/'.repeat(100_000)), undefined],
    ['one that a program may clean first', { decision: 'deny', path: 'secret/**' }, read('\0secret/key'), 'ask'],
    [
      'one with space around it, which programs take away',
      { decision: 'deny', path: 'secret/**' },
      read(' secret/key'),
      'deny',
    ],
    [
      'one of space alone, which is then the directory itself',
      { decision: 'deny', path: 'secret/**' },
      ['Grep', 'search', { paths: [' '] }],
      'ask',
    ],
    ['the same to allow', { decision: 'allow', path: 'secret/**' }, read('secret/../ secret/key'), undefined],
    ['and without what space hides', { decision: 'allow', path: 'src/**' }, edit(' /etc/hosts'), undefined],
    ...[
      '/proc/self/cwd/secret/key',
      '/proc/thread-self/cwd/secret/key',
      '/dev/fd/../cwd/secret/key',
      'src/own/key',
    ].map((file): [string, Rule, Call, Rule['decision']] => [
      `what leads elsewhere in every process: ${file}`,
      { decision: 'deny', path: 'secret/**' },
      read(file),
      'ask',
    ]),
    [
      'the same of a tool that no kind is known of',
      { decision: 'deny', path: 'secret/**' },
      ['mcp__x__y', 'other', { paths: ['/proc/self/cwd/secret/key'] }],
      'ask',
    ],
    ['the same to allow', { decision: 'allow', path: '**' }, edit('/proc/self/cwd/a'), undefined],
    ['a second name of what is forbidden', { decision: 'deny', path: 'secret/**' }, read('src/second'), 'ask'],
    ['a link to a second name', { decision: 'deny', path: 'secret/**' }, edit('src/to-second'), 'ask'],
    ['the first name', { decision: 'deny', path: 'secret/**' }, read('secret/twice'), 'deny'],
    ['a second name of what is asked about', { decision: 'ask', path: 'secret/**' }, read('src/second'), 'ask'],
    ['a second name to allow', { decision: 'allow', path: 'src/**' }, edit('src/second'), undefined],
    ['a file that is called so alone', { decision: 'allow', path: 'src/**' }, edit('src/single'), 'allow'],
    ['the same to forbid', { decision: 'deny', path: 'secret/**' }, edit('src/single'), undefined],
    ['a process by its number', { decision: 'deny', path: 'secret/**' }, read('/proc/1/status'), undefined],
  ])('%s', (_, rule, call, decision) => {
    expect(decide(rule, call)).toBe(decision);
  });

  it('accepts no edit that a link leads elsewhere', () => {
    const policy: Policy = { permission: 'accept-edits', rules: [], place: here, addDirs: [] };
    expect(judge(policy, request(...edit('src/a.ts'))).decision).toBe('allow');
    expect(judge(policy, request(...edit('src/way/a.ts'))).decision).toBe('allow');
    expect(judge(policy, request(...edit('src/out'))).decision).toBe('ask');
    expect(judge(policy, request(...edit('src/second'))).decision).toBe('ask');
    expect(judge(policy, request(...edit('src/single'))).decision).toBe('allow');
    expect(judge(policy, request(...edit(' /etc/hosts'))).decision).toBe('ask');
    symlinkSync(temporaryDirectory(), path.join(cwd, 'src', 'far'));
    expect(judge(policy, request(...edit('src/far/../a.ts'))).decision).toBe('ask');
  });
});

describe('several calls in one question', () => {
  const calls = (...given: Call[]): AskedCall[] =>
    given.map(([toolName, toolKind, targets]) => ({ toolName, toolKind, ...targets }));
  const several = (...given: Call[]): Asked => ({
    ...request(given.map(([name]) => name).join(' + '), 'other', {}),
    calls: calls(...given),
  });
  const decide = (rules: Rule[], ...given: Call[]) => findRule(rules, several(...given), place);

  it('one that is forbidden forbids all', () => {
    const rules: Rule[] = [
      { decision: 'deny', path: '**/.env' },
      { decision: 'allow', tool: '*' },
    ];
    expect(decide(rules, bash('ls'), edit('.env'))).toEqual({ decision: 'deny', rule: 'deny path=**/.env' });
    expect(decide(rules, bash('ls'), edit('a'))).toEqual({ decision: 'allow', rule: 'allow tool=*' });
    expect(decide(rules, bash('ls'), ['Edit', 'edit', {}])?.decision).toBe('ask');
  });

  it('all must be allowed, each by its own rule', () => {
    const rules: Rule[] = [
      { decision: 'allow', tool: 'Edit*' },
      { decision: 'allow', command: 'ls' },
    ];
    expect(decide(rules, edit('a'), bash('rm -rf .'))).toBeUndefined();
    expect(decide(rules, edit('a'), bash('ls'))).toEqual({
      decision: 'allow',
      rule: 'allow tool=Edit*, allow command=ls',
    });
  });

  it('edits are accepted only when all are', () => {
    const policy: Policy = { permission: 'accept-edits', rules: [], place, addDirs: [] };
    expect(judge(policy, several(edit('a'), edit('b'))).decision).toBe('allow');
    expect(judge(policy, several(edit('a'), bash('ls'))).decision).toBe('ask');
  });
});

describe('the policy', () => {
  const policy = (facts: Partial<Policy>): Policy => ({ permission: 'ask', rules: [], place, addDirs: [], ...facts });
  const verdict = (facts: Partial<Policy>, call: Call) => judge(policy(facts), request(...call));

  it('R-11 asks by default, and denies, allows or bypasses only when told to', () => {
    expect(verdict({}, bash('ls'))).toEqual({ decision: 'ask' });
    expect(verdict({ permission: 'deny' }, bash('ls'))).toMatchObject({ decision: 'deny', rule: 'permission deny' });
    expect(verdict({ permission: 'bypass' }, bash('ls'))).toEqual({ decision: 'allow', rule: 'permission bypass' });
    expect(verdict({ permission: 'plan' }, bash('ls'))).toEqual({ decision: 'ask' });
  });

  it('accepts edits only inside the directories of the run', () => {
    const accept: Partial<Policy> = { permission: 'accept-edits', addDirs: ['/other'] };
    expect(verdict(accept, edit('src/a.ts')).decision).toBe('allow');
    expect(verdict(accept, edit('/other/a.ts')).decision).toBe('allow');
    expect(verdict(accept, edit('/repository/a.ts')).decision).toBe('ask');
    expect(verdict(accept, edit('../a.ts')).decision).toBe('ask');
    expect(verdict(accept, bash('ls')).decision).toBe('ask');
    expect(verdict(accept, ['Edit', 'edit', {}]).decision).toBe('ask');
  });

  it('rules go before the permission, in both directions', () => {
    const rules: Rule[] = [
      { decision: 'allow', command: 'ls' },
      { decision: 'deny', kind: 'edit' },
      { decision: 'ask', command: 'git push' },
    ];
    expect(verdict({ permission: 'deny', rules }, bash('ls')).decision).toBe('allow');
    expect(verdict({ permission: 'bypass', rules }, edit('a')).decision).toBe('deny');
    expect(verdict({ permission: 'bypass', rules }, bash('git push')).decision).toBe('ask');
  });

  it('questions are for people; no rule about tools answers them', () => {
    const question = { ...request('Ask', 'other', {}), kind: 'question' as const };
    expect(judge(policy({ permission: 'bypass' }), question)).toEqual({ decision: 'ask' });
    expect(judge(policy({ permission: 'deny' }), question).decision).toBe('deny');
  });

  it('LL-34 warns of what no rule can stop', () => {
    const codes = (facts: Partial<Policy>, allowedTools: boolean) =>
      policyWarnings(policy(facts), hasty, allowedTools).map(({ code }) => code);
    const rules: Rule[] = [{ decision: 'deny', kind: 'edit' }];
    expect(codes({}, true)).toEqual([]);
    expect(codes({ rules }, false)).toEqual([]);
    expect(codes({ rules }, true)).toEqual(['rules-unreachable']);
    expect(codes({ rules, permission: 'bypass' }, false)).toEqual(['permission-bypass', 'rules-unreachable']);
    expect(policyWarnings(policy({ rules, permission: 'bypass' }), hasty, false).map(({ message }) => message)).toEqual(
      [
        'The agent may do anything without being asked.',
        'Tools allowed beforehand are not asked about; no rule can stop them.',
      ],
    );
  });

  it.each([
    ['asking', { permission: 'ask' }, ['cannot-ask']],
    ['accepting edits', { permission: 'accept-edits' }, ['cannot-ask']],
    ['a rule', { permission: 'deny', rules: [{ decision: 'allow', kind: 'read' }] }, ['cannot-ask']],
    ['denying', { permission: 'deny' }, []],
    ['planning', { permission: 'plan' }, []],
    ['bypassing', { permission: 'bypass' }, ['permission-bypass']],
  ] as const)('%s with an agent that cannot ask is not passed over in silence', (_, facts, expected) => {
    const mute = { title: 'Toy', capabilities: { ...hasty.capabilities, approvals: false } };
    const warnings = policyWarnings(policy(facts), mute, false);
    expect(warnings.map(({ code }) => code)).toEqual(expected);
    if (expected[0] === 'cannot-ask') expect(warnings[0]?.message).toMatch(/^Toy cannot ask: .*allowedTools/);
  });
});

function request(toolName: string, toolKind: ToolKind, targets: Targets): Asked {
  return { type: 'approval-request', id: 'q', kind: 'tool', toolName, toolKind, ...targets, turn: 1 };
}
