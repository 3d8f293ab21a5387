/** What calls touch: every recorded one tells it, and the readers read it out of any arguments. */
import { describe, expect, it } from 'vitest';
import { hostIn, hostsIn } from '../../src/agent/host.js';
import { AGENTS } from '../../src/agent/index.js';
import { readPatch } from '../../src/agent/patch-text.js';
import { TOOLS as pi } from '../../src/agent/pi/tools.js';
import { TOOLS as qwen } from '../../src/agent/qwen/tools.js';
import {
  atPaths,
  below,
  fetching,
  joinTargets,
  type ReadTargets,
  replacing,
  replacingEach,
  running,
  searching,
  targetTable,
  writing,
} from '../../src/agent/target.js';
import { createDecoder } from '../../src/decode/index.js';
import { type AgentEvent, type Edit, type Targets, type ToolKind, valueAt } from '../../src/event/index.js';
import { allRecordings, type Recording, sharedRecordings } from '../support/recordings.js';

/** What a call of a kind must tell. */
const NEEDED: Partial<Record<ToolKind, keyof Targets>> = {
  read: 'paths',
  edit: 'paths',
  delete: 'paths',
  move: 'paths',
  search: 'paths',
  execute: 'command',
  fetch: 'hosts',
};

/** Calls that have nothing to tell, and why. `input` narrows it down to such arguments. */
const EXCEPTIONS: { agent?: string; tool?: RegExp; input?: RegExp; why: string }[] = [
  { input: /^\{\}$/, why: 'no arguments: it does not run' },
  { input: /^\{"(path|command)":\d+\}$/, why: 'a number for a text: it does not run' },
  { agent: 'claude', tool: /^ToolSearch$/, why: 'searches the list of its own tools' },
  { agent: 'claude', tool: /^(TaskStop|TaskOutput|KillShell|BashOutput)$/, why: 'names a task, not a command' },
  { agent: 'claude', tool: /^(WebSearch|web_search)$/, why: 'asks a search engine; no host is chosen' },
  { agent: 'claude', input: /^\{"__unparsedToolInput"/, why: 'arguments that are no JSON: it does not run' },
  { agent: 'codex', tool: /^WebSearch$/, why: 'asks a search engine; no host is chosen' },
  { agent: 'opencode', input: /"error":/, why: 'arguments that were refused: it does not run' },
  { agent: 'qwen', tool: /^tool_search$/, why: 'searches the list of its own tools' },
];

interface RecordedCall {
  agent: string;
  tool: string;
  kind: ToolKind;
  input: unknown;
  targets: Targets;
}

function callsIn({ agent, stdout }: Recording): RecordedCall[] {
  const decoder = createDecoder(agent, { guard: false });
  const tools = new Map<string, { tool: string; kind: ToolKind }>();
  const calls: RecordedCall[] = [];
  for (const event of [...decoder.push(stdout), ...decoder.end()] as AgentEvent[]) {
    if (event.type === 'tool-start') tools.set(event.id, { tool: event.name, kind: event.kind });
    const known = event.type === 'tool-input-end' ? tools.get(event.id) : undefined;
    if (event.type === 'tool-input-end' && known) calls.push({ agent, ...known, input: event.input, targets: event });
    if (event.type === 'approval-request' && event.kind === 'tool')
      calls.push({
        agent,
        tool: event.toolName ?? '',
        kind: event.toolKind ?? 'other',
        input: event.input,
        targets: event,
      });
  }
  return calls;
}

const known = new Set(AGENTS.map(({ name }) => name));
const recordings = allRecordings().filter(({ agent }) => known.has(agent));
const calls = recordings.flatMap(callsIn);
const exceptionFor = ({ agent, tool, input }: RecordedCall) =>
  EXCEPTIONS.find(
    (one) =>
      (one.agent ?? agent) === agent &&
      (one.tool?.test(tool) ?? true) &&
      (one.input?.test(JSON.stringify(input) ?? '') ?? true),
  );

describe('every recorded call', () => {
  it('that reads, changes, searches, runs or fetches tells what it touches', () => {
    const needy = calls.filter(({ kind }) => NEEDED[kind] !== undefined);
    const silent = needy.filter(
      (call) => call.targets[NEEDED[call.kind] ?? 'paths'] === undefined && !exceptionFor(call),
    );
    expect(needy.length).toBeGreaterThan(200);
    expect(silent.map(({ agent, tool, kind, input }) => ({ agent, tool, kind, input }))).toEqual([]);
  });

  it('points with its edits to texts of its input', () => {
    const pointers = calls.flatMap(({ input, targets }) =>
      (targets.edits ?? [])
        .flatMap(({ before, after, diff }) => [before, after, diff])
        .flatMap((part) => (part && 'at' in part ? [valueAt(input, part.at)] : [])),
    );
    expect(pointers.length).toBeGreaterThan(50);
    expect(pointers.filter((text) => typeof text !== 'string')).toEqual([]);
  });

  it('carries no text along that stands in its input', () => {
    const carried = calls.filter(({ input, targets }) =>
      (targets.edits ?? []).some(({ before, after }) =>
        [before, after].some(
          (part) =>
            part && 'text' in part && part.text !== '' && JSON.stringify(input)?.includes(JSON.stringify(part.text)),
        ),
      ),
    );
    expect(carried).toEqual([]);
  });

  it('names among its paths whatever it edits', () => {
    const astray = calls.flatMap(({ targets: { edits = [], paths = [] } }) =>
      edits.flatMap(({ path, to }) => [path, ...(to ? [to] : [])]).filter((file) => !paths.includes(file)),
    );
    expect(astray).toEqual([]);
  });

  it('has an exception only where there is one to make', () => {
    const unused = EXCEPTIONS.filter(
      (one) => sharedRecordings().length > 0 && !calls.some((call) => exceptionFor(call) === one),
    );
    expect(unused).toEqual([]);
  });
});

describe('a path that a program reads in its own way', () => {
  it('is told as it is opened, beside how it is written', () => {
    expect(pi.targets('read', { path: '@/etc/passwd' })).toEqual({ paths: ['/etc/passwd', '@/etc/passwd'] });
    expect(pi.targets('write', { path: '@a\u202fb', content: 'x' })).toEqual({
      paths: ['a b', '@a\u202fb'],
      edits: [{ path: 'a b', kind: 'write', after: { at: '/content' } }],
    });
    expect(qwen.targets('read_file', { file_path: '/my\\ files/\\~a\\b' })).toEqual({
      paths: ['/my files/~a\\b', '/my\\ files/\\~a\\b'],
    });
  });

  it('is told once where both are the same, and as it is written for the tools of others', () => {
    expect(pi.targets('read', { path: 'a@b' })).toEqual({ paths: ['a@b'] });
    expect(pi.targets('another', { path: '@a' })).toEqual({ paths: ['@a'] });
  });

  it('changes a file by the name under which it was opened', () => {
    const decoder = createDecoder('pi');
    const events = [
      ...decoder.push(`{"type":"tool_execution_start","toolCallId":"t","toolName":"write","args":{"path":"@a","content":"x"}}
{"type":"tool_execution_end","toolCallId":"t","toolName":"write","result":{"content":[]},"isError":false}
`),
      ...decoder.end(),
    ];
    expect(events.find(({ type }) => type === 'file-change')).toMatchObject({ path: 'a' });
  });
});

describe('a reader', () => {
  const fields = { path: 'p', before: 'old', after: 'new', all: 'all' };
  it.each<[string, ReadTargets, Record<string, unknown>, Targets]>([
    ['of a path', atPaths('p'), { p: 'a' }, { paths: ['a'] }],
    ['of several', atPaths('p', 'q'), { p: ['a', 'b', 7, ''], q: 'a' }, { paths: ['a', 'b'] }],
    ['of no path', atPaths('p'), { p: 7 }, {}],
    ['of an address of a file', atPaths('p'), { p: 'file:///a%20b' }, { paths: ['/a b'] }],
    ['of one on this machine', atPaths('p'), { p: 'FILE://localhost/etc/hosts' }, { paths: ['/etc/hosts'] }],
    ['of one that is badly written', atPaths('p'), { p: 'file:///etc/a%zz' }, { paths: ['/etc/a%zz'] }],
    ['of a search', searching(['p'], ['g']), { p: 'src', g: '**/*.ts' }, { paths: ['src'] }],
    ['of a search without a place', searching(['p']), {}, { paths: ['.'] }],
    ['of a glob that leads away', searching(['p'], ['g']), { g: '/etc/ssl/*.pem' }, { paths: ['.', '/etc/ssl/'] }],
    ['of a glob that climbs', searching(['p'], ['g']), { g: '../*/x' }, { paths: ['.', '../'] }],
    ['of one that climbs later', searching(['p'], ['g']), { g: 'src/../../x/*' }, { paths: ['.', 'src/../../x/'] }],
    ['of one that climbs behind a star', searching(['p'], ['g']), { g: '*/../../x' }, { paths: ['.', '/'] }],
    ['of one that leads away by choice', searching(['p'], ['g']), { g: '{a,/etc/*.pem}' }, { paths: ['.', '/'] }],
    ['of one that climbs by choice', searching(['p'], ['g']), { g: 'src/{a,..}/*' }, { paths: ['.', '/'] }],
    ['of dots in a name', searching(['p'], ['g']), { g: 'src/..a/{b,c..}/*' }, { paths: ['.'] }],
    ['of a command', running('c', 'd'), { d: 'ls' }, { command: 'ls' }],
    ['of several commands', running('c'), { c: ['a', 'b'] }, { command: 'a\nb' }],
    ['of an address', fetching('u'), { u: 'https://Example.org/x' }, { hosts: ['example.org'] }],
    [
      'of what is written',
      writing('p', 'c'),
      { p: 'a', c: '' },
      { paths: ['a'], edits: [{ path: 'a', kind: 'write', after: { at: '/c' } }] },
    ],
    ['of what is written nowhere', writing('p', 'c'), { c: 'x' }, {}],
    [
      'of what is replaced',
      replacing(fields),
      { p: 'a', old: '1', new: '2', all: true },
      {
        paths: ['a'],
        edits: [{ path: 'a', kind: 'replace', before: { at: '/old' }, after: { at: '/new' }, all: true }],
      },
    ],
    ['of half a replacement', replacing(fields), { p: 'a', old: '1' }, { paths: ['a'] }],
    [
      'of several replacements',
      replacingEach('list', fields),
      { p: 'a', list: [{ old: '1', new: '2' }, 7, { old: '3', new: '4', all: true }] },
      {
        paths: ['a'],
        edits: [
          { path: 'a', kind: 'replace', before: { at: '/list/0/old' }, after: { at: '/list/0/new' } },
          { path: 'a', kind: 'replace', before: { at: '/list/2/old' }, after: { at: '/list/2/new' }, all: true },
        ],
      },
    ],
  ])('%s', (_, read, input, targets) => {
    expect(read(input)).toEqual(targets);
  });

  it('asks a tool that it does not know by the usual names', () => {
    const read = targetTable({ Known: atPaths('p') });
    expect(read('Known', { path: 'a' })).toEqual({});
    expect(read('mcp__fs__move', { source: 'a', destination: 'b' })).toEqual({ paths: ['a', 'b'] });
    expect(read('mcp__x__y', { uri: 'file:///x', url: 'http://h/' })).toEqual({ paths: ['/x'], hosts: ['h'] });
    expect(read('constructor', { command: 'ls' })).toEqual({ command: 'ls' });
    expect(read('mcp__x__y', 'text')).toEqual({});
  });

  it('joins several calls, whose inputs stand inside one', () => {
    const one = below(replacing(fields)({ p: 'a', old: '1', new: '2' }), 0, 'input');
    const other = below(running('c')({ c: 'ls' }), 1, 'input');
    expect(joinTargets([one, other, one])).toEqual({
      paths: ['a'],
      command: 'ls',
      edits: [one.edits?.[0], one.edits?.[0]],
    });
    expect(one.edits).toEqual([
      { path: 'a', kind: 'replace', before: { at: '/0/input/old' }, after: { at: '/0/input/new' } },
    ]);
  });
});

describe('the host of an address', () => {
  it.each<[string, string | undefined]>([
    ['https://example.org/a', 'example.org'],
    ['HTTPS://EXAMPLE.org', 'example.org'],
    ['http://user:pass@example.org:8080/x', 'example.org'],
    ['http://good.org@evil.org/', 'evil.org'],
    ['http://good.org\\@evil.org/', 'good.org'],
    ['http:\\\\evil.org\\x', 'evil.org'],
    ['ht\ntps://evil.org', 'evil.org'],
    ['//evil.org/x', 'evil.org'],
    ['http://[::1]:80/', '[::1]'],
    ['localhost:3000/x', 'localhost'],
    ['example.org/path', 'example.org'],
    ['file:///etc/passwd', undefined],
    ['data:text/plain,x', undefined],
    ['how to bake bread', undefined],
    ['', undefined],
  ])('%j', (address, host) => {
    expect(hostIn(address)).toBe(host);
  });

  it('is found in a sentence', () => {
    expect(hostsIn('Sum up https://a.org/x and (http://b.org), please.')).toEqual(['a.org', 'b.org']);
  });
});

describe('a patch', () => {
  it('tells its files and what it makes of them', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: new.txt',
      '+one',
      '+',
      '*** Update File: a b.txt',
      '*** Move to: c.txt',
      '@@ function x()',
      ' same',
      '-old',
      '+new',
      '*** End of File',
      '*** Update File: plain.txt',
      '-x',
      '+y',
      '  *** Delete File: gone.txt  ',
      '*** End Patch',
    ].join('\n');
    expect(readPatch(patch)).toEqual<Edit[]>([
      { path: 'new.txt', kind: 'write', after: { text: 'one\n\n' } },
      { path: 'a b.txt', kind: 'move', to: 'c.txt', diff: { text: '@@ function x()\n same\n-old\n+new\n' } },
      { path: 'plain.txt', kind: 'patch', diff: { text: '@@\n-x\n+y\n' } },
      { path: 'gone.txt', kind: 'delete' },
    ]);
    expect(readPatch(patch.replaceAll('\n', '\r\n')).map(({ path }) => path)).toHaveLength(4);
  });

  it('that is none tells nothing', () => {
    expect(readPatch('rm -rf .')).toEqual([]);
  });
});
