import { describe, expect, it } from 'vitest';
import type { ToolKind } from '../../src/event/index.js';
import { judge, NOBODY, type Policy, policyWarnings } from '../../src/run/policy.js';
import { type ApprovalRequest, describeRule, findRule, type Rule } from '../../src/run/rule.js';
import { hasty } from '../fake-agent/play.js';

const place = { cwd: '/repo', home: '/home/me' };

type Call = [tool: string, kind: ToolKind, input: object];
const bash = (command: string): Call => ['Bash', 'execute', { command }];
const edit = (file: string): Call => ['Edit', 'edit', { file_path: file }];
const read = (file: string): Call => ['Read', 'read', { file_path: file }];

const cases: [title: string, rule: Rule, call: Call, matches: boolean][] = [
  ['a kind', { decision: 'allow', kind: 'read' }, read('a.ts'), true],
  ['another kind', { decision: 'allow', kind: 'read' }, edit('a.ts'), false],
  ['a tool', { decision: 'allow', tool: 'Bash' }, bash('ls'), true],
  ['a tool in another case', { decision: 'allow', tool: 'bash' }, bash('ls'), true],
  ['tools by star', { decision: 'allow', tool: 'mcp__git__*' }, ['mcp__git__log', 'other', {}], true],
  ['a dot in a name is a dot', { decision: 'allow', tool: 'B.sh' }, bash('ls'), false],
  ['a glob below the directory', { decision: 'allow', path: 'src/**' }, edit('src/deep/a.ts'), true],
  ['the same, absolute', { decision: 'allow', path: 'src/**' }, edit('/repo/src/a.ts'), true],
  ['one star stays in its directory', { decision: 'allow', path: 'src/*' }, edit('src/deep/a.ts'), false],
  ['a path cannot climb out', { decision: 'allow', path: 'src/**' }, edit('src/../../etc/passwd'), false],
  ['two stars in front match anywhere', { decision: 'deny', path: '**/.env' }, read('/srv/app/.env'), true],
  ['also at the top', { decision: 'deny', path: '**/.env' }, read('.env'), true],
  ['but not another name', { decision: 'deny', path: '**/.env' }, read('my.env'), false],
  ['home', { decision: 'deny', path: '~/.ssh/**' }, read('/home/me/.ssh/id'), true],
  ['a question mark', { decision: 'allow', path: 'a?.ts' }, edit('ab.ts'), true],
  ['brackets are letters', { decision: 'allow', path: 'a[1].ts' }, edit('a[1].ts'), true],
  ['no path, no match', { decision: 'allow', path: '**' }, bash('ls'), false],
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
  ['deny: anywhere in the line', { decision: 'deny', command: 'rm *' }, bash('cd x && rm -rf .'), true],
  ['deny: in a substitution', { decision: 'deny', command: 'rm *' }, bash('echo $(rm a)'), true],
  ['deny: not a part of a word', { decision: 'deny', command: 'rm *' }, bash('npm ci && alarm x'), false],
  ['all that is said must match', { decision: 'allow', tool: 'Bash', path: 'src/**' }, bash('ls'), false],
];

describe('rules', () => {
  it.each(cases)('%s', (_, rule, [tool, kind, input], matches) => {
    expect(findRule([rule], request(tool, kind, input), input, place) === rule).toBe(matches);
  });

  it('deny goes before ask before allow, whatever their order', () => {
    const rules: Rule[] = [
      { decision: 'allow', tool: 'Bash' },
      { decision: 'ask', command: 'git push *' },
      { decision: 'deny', command: 'git push --force *' },
    ];
    const decide = (command: string) =>
      findRule(rules, request('Bash', 'execute', { command }), { command }, place)?.decision;
    expect(decide('ls')).toBe('allow');
    expect(decide('git push origin')).toBe('ask');
    expect(decide('git push --force origin')).toBe('deny');
  });

  it('every path of a call must be allowed, one is enough to deny', () => {
    const input = { file_path: 'src/a.ts', path: '/etc/hosts' };
    const decide = (decision: 'allow' | 'deny') =>
      findRule([{ decision, path: 'src/**' }], request('Edit', 'edit', input), input, place)?.decision;
    expect(decide('allow')).toBeUndefined();
    expect(decide('deny')).toBe('deny');
  });

  it('describes itself for events', () => {
    expect(describeRule({ decision: 'deny', tool: 'Bash', command: 'rm *' })).toBe('deny tool=Bash command=rm *');
  });
});

describe('the policy', () => {
  const policy = (facts: Partial<Policy>): Policy => ({ permission: 'ask', rules: [], place, addDirs: [], ...facts });
  const verdict = (facts: Partial<Policy>, [tool, kind, input]: Call) =>
    judge(policy(facts), request(tool, kind, input), input);

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
    expect(judge(policy({ permission: 'bypass' }), question, {})).toEqual({ decision: 'ask' });
    expect(judge(policy({ permission: 'deny' }), question, {}).decision).toBe('deny');
  });

  it('LL-34 warns of what no rule can stop', () => {
    const codes = (facts: Partial<Policy>, allowedTools: boolean) =>
      policyWarnings(policy(facts), hasty, allowedTools).map(({ code }) => code);
    const rules: Rule[] = [{ decision: 'deny', kind: 'edit' }];
    expect(codes({}, true)).toEqual([]);
    expect(codes({ rules }, false)).toEqual([]);
    expect(codes({ rules }, true)).toEqual(['rules-unreachable']);
    expect(codes({ rules, permission: 'bypass' }, false)).toEqual(['permission-bypass', 'rules-unreachable']);
    expect(NOBODY.decision).toBe('deny');
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

function request(toolName: string, toolKind: ToolKind, input: unknown): ApprovalRequest {
  const stamp = { seq: 1, at: 0, runId: 'r', agent: 'a', source: 'stream', turn: 1 } as const;
  return { type: 'approval-request', id: 'q', kind: 'tool', toolName, toolKind, input, ...stamp };
}
