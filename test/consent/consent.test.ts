/** The words of a question: what is asked, what one should know, what has to be read, what "always" would mean. */
import { describe, expect, it, test } from 'vitest';
import { type ApprovalRequest, consentFor, lineFor, type Part, sentenceFor } from '../../src/consent/index.js';
import type { Suggestion } from '../../src/event/index.js';

const request = (facts: Partial<ApprovalRequest>): ApprovalRequest => ({
  type: 'approval-request',
  id: 'q',
  kind: 'tool',
  seq: 1,
  at: 0,
  runId: 'r',
  agent: 'a',
  source: 'stream',
  turn: 1,
  directory: '/repo',
  ...facts,
});
const ask = (facts: Partial<ApprovalRequest>) => consentFor(request(facts));

const replace = (path: string) => ({ path, kind: 'replace', before: { at: '/old' }, after: { at: '/new' } }) as const;

describe('what takes no room is shown', () => {
  it('in commands, names and addresses, which it would disguise', () => {
    const asked = ask({ toolKind: 'execute', command: 'r\u200bm a\u2060\u200d\u3164 b', hosts: ['ex\u00adample.org'] });
    expect(asked.parts).toEqual([{ kind: 'command', text: 'r\ufffdm a\ufffd\ufffd\ufffd b' }]);
    expect(asked.facts.map(({ text }) => text)).toContain('ex\ufffdample.org');
    expect(ask({ toolKind: 'read', paths: ['src/a\u200b.ts'] }).title).toBe('Read src/a\ufffd.ts');
    expect(lineFor(request({ toolKind: 'execute', command: 'l\u200cs' }))).toBe('Run a command: l\ufffds');
    expect(ask({ toolName: 'mcp__x__y', input: { to: 'a\u200db' } }).parts).toEqual([
      { kind: 'field', name: 'to', text: 'a\ufffdb' },
    ]);
  });

  it('and in what "always" would allow', () => {
    const suggestions: Suggestion[] = [{ allows: 'command', what: ['l\u200bs'], lasts: 'session' }];
    expect(ask({ suggestions }).always).toMatchObject([{ text: expect.stringContaining('l\ufffds') }]);
  });

  it('but stays where it belongs', () => {
    const command = 'echo 👩\u200d👩\u200d👧 ✨\ufe0f می\u200cخواهم';
    expect(ask({ toolKind: 'execute', command }).parts).toEqual([{ kind: 'command', text: command }]);
  });
});

describe('the title is a verb and what it is done to', () => {
  it.each<[string, Partial<ApprovalRequest>]>([
    ['Run a command', { toolKind: 'execute', toolName: 'Bash', command: 'ls' }],
    ['Change src/a.ts', { toolKind: 'edit', edits: [replace('/repo/src/a.ts')] }],
    ['Change src/a.ts', { toolKind: 'edit', edits: [replace('/repo/src/a.ts'), replace('src/a.ts')] }],
    ['Change 2 files', { toolKind: 'edit', edits: [replace('a'), replace('b')] }],
    ['Change /etc/hosts', { toolKind: 'edit', paths: ['/etc/hosts'] }],
    ['Create a', { toolKind: 'edit', edits: [replace('a')], differences: [{ path: 'a', created: true, hunks: [] }] }],
    ['Delete a', { toolKind: 'edit', edits: [{ path: 'a', kind: 'delete' }] }],
    ['Delete 2 files', { toolKind: 'delete', paths: ['a', 'b'] }],
    ['Move a to b', { toolKind: 'move', edits: [{ path: 'a', kind: 'move', to: '/repo/b' }] }],
    ['Read /etc/passwd', { toolKind: 'read', paths: ['/etc/passwd'] }],
    ['Search in src', { toolKind: 'search', paths: ['src'] }],
    ['Search', { toolKind: 'search' }],
    ['Fetch from example.com', { toolKind: 'fetch', hosts: ['example.com'] }],
    ['Fetch from 2 hosts', { toolKind: 'fetch', hosts: ['a', 'b'] }],
    ['Use mcp__crm__add', { toolKind: 'other', toolName: 'mcp__crm__add' }],
    ['Use WebFetch', { toolKind: 'fetch', toolName: 'WebFetch' }],
    ['Use a tool', {}],
    [
      'Run a command and change a',
      {
        toolName: 'Execute + Edit',
        calls: [
          { toolName: 'Execute', toolKind: 'execute', command: 'ls' },
          { toolName: 'Edit', toolKind: 'edit', edits: [replace('/repo/a')] },
        ],
      },
    ],
    ['Do 4 things', { calls: Array.from({ length: 4 }, () => ({ toolName: 'Read', toolKind: 'read' as const })) }],
    ['Go on with this plan', { kind: 'plan', plan: '# A' }],
    ['Answer a question', { kind: 'question', questions: [{ question: 'Why?' }] }],
    ['Answer some questions', { kind: 'question', questions: [{ question: 'Why?' }, { question: 'How?' }] }],
    ['Tell crm what it asks for', { kind: 'elicitation', toolName: 'crm', title: 'Who are you?' }],
    ['Let it go on?', { kind: 'other', title: 'Let it go on?' }],
    ['Go on after PreToolUse', { kind: 'hook', title: 'PreToolUse' }],
  ])('%s', (title, facts) => {
    expect(ask(facts).title).toBe(title);
  });
});

describe('facts', () => {
  it('what lies outside comes first, and is a warning', () => {
    const { facts } = ask({ toolKind: 'execute', command: 'ls', outside: ['/etc', '../x'], reason: 'a rule' });
    expect(facts).toEqual([
      { name: 'Outside the project', text: '/etc, ../x', isWarning: true },
      { name: 'Directory', text: '/repo' },
      { name: 'It asks because', text: 'a rule' },
    ]);
  });

  it('a file that has a second name is a warning', () => {
    expect(ask({ toolKind: 'edit', paths: ['/repo/a'], linked: ['a'] }).facts).toEqual([
      { name: 'A file with a second name elsewhere', text: 'a', isWarning: true },
    ]);
  });

  it('the agent’s own words, and what a title already says only there', () => {
    const names = (facts: Partial<ApprovalRequest>) => ask(facts).facts.map(({ name, text }) => `${name}: ${text}`);
    expect(names({ toolKind: 'fetch', toolName: 'WebFetch', hosts: ['a.com'] })).toEqual([]);
    expect(names({ toolKind: 'execute', toolName: 'Bash', command: 'ls' })).toEqual(['Directory: /repo']);
    expect(names({ toolKind: 'fetch', toolName: 'mcp__web__get', hosts: ['a.com'] })).toEqual(['Tool: mcp__web__get']);
    expect(names({ toolKind: 'execute', hosts: ['a.com', 'b.com'], command: 'curl' })).toContain(
      'Network: a.com, b.com',
    );
    const fetching = { toolKind: 'execute', toolName: 'Bash', command: 'curl https://a.com https://b.com' } as const;
    expect(names(fetching)).toEqual(['Directory: /repo', 'Names the hosts: a.com, b.com']);
    expect(names({ ...fetching, hosts: ['a.com'] })).toContain('Names the host: b.com');
    expect(names({ kind: 'elicitation', title: 'Who?', description: 'Really?' })).toEqual([
      'The agent says: Who?\nReally?',
    ]);
    expect(names({ toolName: 'Bash', title: 'Bash', description: 'List' })).toContain('The agent says: List');
    const file: Partial<ApprovalRequest> = { toolName: 'Edit', toolKind: 'edit', paths: ['/repo/src/app.js'] };
    expect(names({ ...file, description: 'app.js' }).join()).not.toContain('The agent says');
    expect(names({ ...file, description: 'the port' })).toContain('The agent says: the port');
    expect(names({ blockedPath: '/repo/p1' })).toEqual(['It stopped at: p1']);
    expect(names({ blockedPath: '/x', outside: ['/x'] })).toEqual(['Outside the project: /x']);
  });
});

describe('who wants it, and what lies around it', () => {
  it('one, several, and what only a person can do', () => {
    const run = request({ toolKind: 'execute', command: 'ls' });
    expect(sentenceFor(run, ['k7qd'])).toBe('k7qd wants to run a command');
    expect(sentenceFor(run, ['a', 'b', '3 others'])).toBe('a, b and 3 others want to run a command');
    const question = request({ kind: 'question', questions: [{ question: 'Which?' }] });
    expect(sentenceFor(question, ['k7qd'])).toBe('k7qd wants you to answer a question');
  });

  it('comes before the rest, and what could be lost is a warning', () => {
    const around = { uncommitted: ['a.ts', 'b.ts'], ignored: ['.env'], beside: ['k7qd Fix it'] };
    expect(consentFor(request({ reason: 'a rule' }), around).facts).toEqual([
      { name: 'Changes that are in no commit', text: 'a.ts, b.ts', isWarning: true },
      { name: 'Ignored by git', text: '.env' },
      { name: 'Also at work in this folder', text: 'k7qd Fix it' },
      { name: 'It asks because', text: 'a rule' },
    ]);
  });

  it('what a command deletes is a warning', () => {
    const command = 'rm -rf build /etc/x && git reset --hard';
    const { facts } = consentFor(request({ toolKind: 'execute', command, directory: '/work' }));
    expect(facts).toEqual([
      { name: 'Deletes outside the project', text: '/etc/x', isWarning: true },
      { name: 'Deletes', text: 'build', isWarning: true },
      { name: 'Drops what is in no commit', text: 'git reset --hard', isWarning: true },
      { name: 'Directory', text: '/work' },
    ]);
  });

  it('what is outside of the project comes before who else is at work', () => {
    const { facts } = consentFor(request({ outside: ['/etc/hosts'] }), { beside: ['k7qd Fix it'] });
    expect(facts.map(({ name }) => name)).toEqual(['Outside the project', 'Also at work in this folder']);
  });
});

it('of many who work in a folder some are named and the others counted', () => {
  const text = (...beside: string[]) => consentFor(request({}), { beside }).facts[0]?.text;
  expect(text('a', 'b', 'c', 'd')).toBe('a, b, c, d');
  expect(text('a', 'b', 'c', 'd', 'e')).toBe('a, b, c and 2 more');
});

describe('what has to be read', () => {
  const partsOf = (facts: Partial<ApprovalRequest>): Part[] => ask(facts).parts;
  const field = (name: string, text: string): Part => ({ kind: 'field', name, text });

  it('a command inside of a shell once, and not with the shell around it', () => {
    const wrapped = {
      command: 'touch a',
      commandAt: '/command',
      input: { command: "bash -lc 'touch a'", cwd: '/repo' },
    };
    expect(ask({ toolKind: 'execute', ...wrapped }).parts).toEqual([{ kind: 'command', text: 'touch a' }]);
  });

  it('the command, and what else the input says, each once', () => {
    const input = { command: 'ls', description: 'List', timeout: 5, env: { A: 'b' } };
    expect(partsOf({ command: 'ls', description: 'List', input })).toEqual([
      { kind: 'command', text: 'ls' },
      field('timeout', '5'),
      field('env', '{\n  "A": "b"\n}'),
    ]);
  });

  it('the difference that the run made, with numbers in both files', () => {
    const hunks = [
      { oldStart: 4, newStart: 4, lines: [' a', '-b', '+c', '+d'] },
      { oldStart: 9, newStart: 10, lines: ['-e'] },
    ];
    const facts: Partial<ApprovalRequest> = {
      toolKind: 'edit',
      edits: [replace('/repo/x')],
      input: { file: '/repo/x', old: 'b', new: 'c', all: false },
      differences: [{ path: '/repo/x', hunks, remarks: ['A newline is added at the end.'] }],
    };
    expect(partsOf(facts)).toEqual([
      {
        kind: 'difference',
        remarks: ['A newline is added at the end.'],
        added: 2,
        removed: 2,
        rows: [
          { kind: 'same', old: 4, new: 4, text: 'a' },
          { kind: 'remove', old: 5, text: 'b' },
          { kind: 'add', new: 5, text: 'c' },
          { kind: 'add', new: 6, text: 'd' },
          { kind: 'gap', text: '' },
          { kind: 'remove', old: 9, text: 'e' },
        ],
      },
      field('all', 'false'),
    ]);
  });

  it('the edit as it stands in the input, where it could not be compared', () => {
    const facts: Partial<ApprovalRequest> = {
      edits: [replace('/x')],
      input: { old: 'a\n', new: 'b\nc' },
      differences: [{ path: '/x', notShown: 'it is not text', hunks: [] }],
    };
    expect(partsOf(facts)).toMatchObject([
      {
        path: '/x',
        remarks: ['Not compared with the file: it is not text.'],
        rows: [
          { kind: 'remove', text: 'a' },
          { kind: 'add', text: 'b' },
          { kind: 'add', text: 'c' },
        ],
      },
    ]);
  });

  it('the same without a run, as in a recording, and hunks of a patch as they came', () => {
    const diff = { text: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n' };
    const [part] = partsOf({ edits: [{ path: 'x', kind: 'patch', diff }] });
    expect(part).toMatchObject({ remarks: [], rows: [{ text: 'a' }, { kind: 'remove', text: 'b' }, { kind: 'add' }] });
  });

  it('of several edits nothing that is shown is told again, and the rest is', () => {
    const edits = [0, 1].map((index) => ({
      path: 'x',
      kind: 'replace' as const,
      before: { at: `/edits/${index}/old` },
      after: { at: `/edits/${index}/new` },
    }));
    const input = {
      path: 'x',
      edits: [
        { old: 'a', new: 'b' },
        { old: 'c', new: 'd', all: true },
      ],
    };
    const fields = partsOf({ edits, input, differences: [] }).filter(({ kind }) => kind === 'field');
    expect(fields).toEqual([field('edits', '{\n  "1": {\n    "all": true\n  }\n}')]);
  });

  it.each<[string, Partial<ApprovalRequest>, Part[]]>([
    ['the directory, which no fact tells', { toolKind: 'other', input: { of: '/repo' } }, [field('of', '/repo')]],
    ['a file that no title names', { input: { of: '/repo/x' }, paths: ['/repo/x'] }, [field('of', '/repo/x')]],
    [
      'what the agent says, where it is the name of a file and not said',
      { toolKind: 'execute', command: 'ls', description: 'x', paths: ['/repo/x', '/y'], input: { of: 'x' } },
      [{ kind: 'command', text: 'ls' }, field('of', 'x')],
    ],
    [
      'what is wanted, besides what is said of it',
      { kind: 'other', title: 'Go on', description: 'So long.', input: { of: 'all' } },
      [{ kind: 'prose', text: 'So long.' }, field('of', 'all')],
    ],
    ['not the file that the title names', { toolKind: 'read', paths: ['/repo/x'], input: { file: '/repo/x' } }, []],
    ['not the reason again', { reason: 'a rule', input: { why: 'a rule' } }, []],
    ['a plan', { kind: 'plan', plan: '# A' }, [{ kind: 'prose', text: '# A' }]],
    ['a question of the run', { kind: 'other', description: 'So long.' }, [{ kind: 'prose', text: 'So long.' }]],
    ['an input that is a text', { input: 'x\ny' }, [{ kind: 'field', name: '', text: 'x\ny' }]],
    ['no input', { summary: 'something' }, [{ kind: 'field', name: '', text: 'something' }]],
    ['an empty field', { input: { a: [] } }, [{ kind: 'field', name: 'a', text: '[]' }]],
    ['nothing', {}, []],
  ])('%s', (_, facts, parts) => {
    expect(partsOf(facts)).toEqual(parts);
  });
});

describe('always says what, for how long and where it is written', () => {
  it.each<[string, Suggestion]>([
    [
      'the command `touch a` in this project from now on, written to .x/settings.json',
      { allows: 'command', what: ['touch a'], lasts: 'project', file: '.x/settings.json' },
    ],
    [
      'every command that begins with `a` and the commands `b` and `c` until this session ends',
      { allows: 'command', what: ['a *', 'b', 'c'], lasts: 'session' },
    ],
    [
      'every command that begins with `a` or `b c` until this session ends',
      { allows: 'command', what: ['a *', 'b c *'], lasts: 'session' },
    ],
    ['the command `*` until this session ends', { allows: 'command', what: ['*'], lasts: 'session' }],
    [
      'the tool Search, whatever it is used for, in all your projects from now on',
      { allows: 'tool', what: ['Search'], lasts: 'user' },
    ],
    ['the files src/** until this session ends', { allows: 'path', what: ['src/**'], lasts: 'session' }],
    ['work in the directory /lib until this session ends', { allows: 'directory', what: ['/lib'], lasts: 'session' }],
    [
      'fetching from a.com for as long as the agent remembers it',
      { allows: 'host', what: ['a.com'], lasts: 'unknown' },
    ],
    ['all edits of files until this session ends', { allows: 'mode', what: ['accept-edits'], lasts: 'session' }],
    ['the mode wild until this session ends', { allows: 'mode', what: ['wild'], lasts: 'session' }],
    ['the like until this session ends', { allows: 'other', what: [], lasts: 'session' }],
  ])('%s', (text, suggestion) => {
    expect(ask({ suggestions: [suggestion] }).always).toEqual([{ position: 0, text }]);
  });
});

describe('what is not here to its end cannot be allowed', () => {
  it.each([
    ['/input/content', true],
    ['/input', true],
    ['/command', true],
    ['/differences/0/hunks/0/lines/3', true],
    ['/plan', true],
    ['/description', false],
    ['/inputs', false],
  ])('%s', (path, isMissing) => {
    const { missing } = ask({ cuts: [{ path, bytes: 3_200_000 }] });
    expect(missing).toEqual(isMissing ? expect.stringContaining('3.2 MB') : undefined);
  });

  it('nor is one of which more than a word is withheld', () => {
    expect(ask({ command: 'A=[redacted:credential]', hidesWords: true }).missing).toMatch(
      /more than one word.*by a rule/,
    );
  });
});

test('a line for lists and notifications', () => {
  expect(lineFor(request({ toolKind: 'execute', command: '\nls -l\nrm x' }))).toBe('Run a command: ls -l');
  expect(lineFor(request({ kind: 'question', questions: [{ question: 'Why?' }] }))).toBe('Answer a question: Why?');
  expect(lineFor(request({ toolKind: 'edit', edits: [replace('a')] }))).toBe('Change a');
});
