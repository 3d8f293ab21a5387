/** What the host of an agent adds to a question: read only where the agent may be, bounded, and never with an effect. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactText } from '../../src/decode/index.js';
import type { DraftOf, Edit } from '../../src/event/index.js';
import { MOST_BYTES, readFileNow } from '../../src/run/approval/file-now.js';
import { addHostFacts } from '../../src/run/approval/host-facts.js';
import { locate } from '../../src/run/approval/pattern.js';
import { isInside, realPath } from '../../src/run/approval/real-path.js';
import { ask, init, result } from '../fake-agent/lines.js';
import { play, readAll, temporaryDirectory } from '../fake-agent/play.js';

/** A project, a directory that was added, and one that the agent has no business in. */
function makePlaces() {
  const root = realPath(temporaryDirectory());
  const [project = '', added = '', elsewhere = ''] = ['project', 'added', 'project-2'].map((name) =>
    path.join(root, name),
  );
  for (const directory of [project, added, elsewhere]) mkdirSync(directory);
  writeFileSync(path.join(elsewhere, 'secret'), 'secret\n');
  return { root, project, added, elsewhere, directories: [project, added] };
}

describe('a file is read as it is', () => {
  const places = makePlaces();
  const { project, added, elsewhere, directories } = places;
  const at = (name: string, content: string | Uint8Array) => {
    const file = path.join(project, name);
    writeFileSync(file, content);
    return file;
  };
  const link = (name: string, target: string) => {
    const file = path.join(project, name);
    symlinkSync(target, file);
    return file;
  };

  const hardLink = (name: string, target: string) => {
    const file = path.join(project, name);
    linkSync(target, file);
    return file;
  };

  it('a link to nothing leads there, the last one that may be followed too', () => {
    const nowhere = path.join(project, 'not-there');
    const dangling = link('to-nothing', nowhere);
    expect(realPath(dangling)).toBe(nowhere);
    expect(realPath(dangling, 1)).toBe(nowhere);
    expect(realPath(dangling, 0)).toBe(dangling);
    // As many as the system follows.
    const chain = Array.from({ length: 41 }, (_, nth) => path.join(project, `chain-${nth}`));
    for (const [nth, file] of chain.entries()) symlinkSync(chain[nth - 1] ?? nowhere, file);
    expect(chain.slice(39).map((file) => realPath(file))).toEqual([nowhere, chain[0]]);
  });

  const readNow = (file: string) => readFileNow(() => locate(file, { cwd: '/', home: '/' }), directories);

  it.runIf(process.platform === 'linux')('and closed again', () => {
    const file = at('closed', 'text\n');
    const opened = () =>
      readdirSync('/proc/self/fd').filter((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`) === file;
        } catch {
          return false;
        }
      });
    expect(readNow(file)).toMatchObject({ text: 'text\n' });
    expect(opened()).toEqual([]);
  });

  const pipe = path.join(project, 'pipe');
  execFileSync('mkfifo', [pipe]);
  mkdirSync(path.join(project, 'folder'));

  it.each<[string, string, string | undefined]>([
    ['a text', at('a', 'a\n'), 'a\n'],
    ['an empty one', at('empty', ''), ''],
    ['a byte order mark and CRLF stay', at('crlf', '\ufeffa\r\n'), '\ufeffa\r\n'],
    ['one of the greatest size', at('full', 'x'.repeat(MOST_BYTES)), 'x'.repeat(MOST_BYTES)],
    ['one in an added directory', path.join(added, 'none'), undefined],
    ['one that is not there', path.join(project, 'no', 'such'), undefined],
    ['a link inside', link('inside', 'a'), 'a\n'],
    ['a link to nothing inside', link('nothing', 'new'), undefined],
  ])('%s', (_, file, text) => {
    expect(readNow(file)).toEqual({ id: expect.stringContaining(places.root), text });
  });

  it('the greatest size is what people are told', () => {
    expect(MOST_BYTES).toBe(2 ** 20);
  });

  it.each<[string, string, RegExp]>([
    ['outside', path.join(elsewhere, 'secret'), /outside/],
    ['outside, by climbing', `${project}/../project-2/secret`, /outside/],
    ['outside, by a link', link('out', path.join(elsewhere, 'secret')), /outside/],
    ['outside, by a linked directory', path.join(link('dir', elsewhere), 'secret'), /outside/],
    ['outside, by a link to nothing', link('dangling', path.join(elsewhere, 'new')), /outside/],
    [
      'outside, by a link to nothing in a linked directory',
      path.join(link('dir2', elsewhere), 'no', 'such'),
      /outside/,
    ],
    ['outside, up from behind a link', `${link('far', path.join(elsewhere, 'deep'))}/../secret`, /outside/],
    [
      'what may be another, up from behind a link',
      `${link('near', path.join(project, 'folder', 'in'))}/../a`,
      /two ways/,
    ],
    ['a pipe that nobody writes to', pipe, /not a regular file/],
    ['a device', '/dev/zero', /outside/],
    ['a directory', path.join(project, 'folder'), /not a regular file/],
    ['a second name of a file outside', hardLink('second', path.join(elsewhere, 'secret')), /second name/],
    ['links in a ring', link('ring', 'ring'), /outside|cannot be read|not a regular file/],
    ['a big one', at('big', 'x'.repeat(MOST_BYTES + 1)), /bigger than 1 MiB/],
    ['bytes', at('bytes', new Uint8Array([0xff, 0xfe, 0x41])), /not text/],
    ['a NUL', at('nul', 'a\0b'), /not text/],
    ['a name with a NUL', `${project}/a\0b`, /outside/],
    ['a name of a megabyte', `${project}${'/a'.repeat(500_000)}`, /outside/],
    ['a file below a file', path.join(project, 'a', 'b'), /cannot be read/],
  ])('not %s', (_, file, why) => {
    expect(readNow(file)).toEqual({ notShown: expect.stringMatching(why) });
  });

  it('a directory beside another one whose name it begins with is outside', () => {
    expect(isInside('/a/bc', ['/a/b'])).toBe(false);
    expect(isInside('/a/b', ['/a/b'])).toBe(true);
    expect(isInside('/a/b/..c', ['/a/b'])).toBe(true);
    expect(isInside('/x', ['/'])).toBe(true);
  });
});

const COOKIE = "curl -H 'Cookie: sid=abcdefgh12345678; b=2' https://h";

describe('a question is told', () => {
  const { project, added, elsewhere } = makePlaces();
  writeFileSync(path.join(project, 'a.ts'), 'one\ntwo\nthree\n');
  symlinkSync(elsewhere, path.join(project, 'out'));
  const ask = (facts: Partial<DraftOf<'approval-request'>>, alsoHere?: string[]) =>
    addHostFacts(
      { type: 'approval-request', id: 'q', kind: 'tool', turn: 1, ...facts },
      {
        place: { cwd: project, home: elsewhere },
        addDirs: [added],
        redact: (text) => text.replaceAll('one', '[redacted]'),
        isAsked: true,
        alsoHere,
      },
    );
  const edit = (file: string): Edit => ({ path: file, kind: 'replace', before: { text: 'two' }, after: { text: '2' } });

  it('where it would happen, and how files would change', () => {
    expect(ask({ edits: [edit('a.ts')] })).toMatchObject({
      directory: project,
      differences: [{ path: 'a.ts', hunks: [{ oldStart: 1, lines: [' [redacted]', '-two', '+2', ' three'] }] }],
    });
  });

  it('whether more than a word of its command is withheld', () => {
    expect(ask({ toolKind: 'execute', command: 'one=1; ls' })).not.toHaveProperty('hidesWords');
    const withheld = addHostFacts(
      { type: 'approval-request', id: 'q', kind: 'tool', turn: 1, command: 'a ; b' },
      { place: { cwd: project, home: elsewhere }, addDirs: [], redact: () => 'a [redacted:x]', isAsked: true },
    );
    expect(withheld.hidesWords).toBe(true);
  });

  describe('whether more than a word is withheld of what it would write', () => {
    const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ';
    const pem = ['-----BEGIN PRIVATE KEY-----', key, key, '-----END PRIVATE KEY-----', ''];
    writeFileSync(path.join(project, 'key.sh'), pem.join('\n'));
    const hides = (facts: Partial<DraftOf<'approval-request'>>) =>
      addHostFacts(
        { type: 'approval-request', id: 'q', kind: 'tool', turn: 1, toolKind: 'edit', ...facts },
        { place: { cwd: project, home: elsewhere }, addDirs: [], redact: redactText, isAsked: true },
      ).hidesWords === true;
    const write = (text: string, file = 'new.sh'): Edit => ({ path: file, kind: 'write', after: { text } });
    const replace = (before: string, after: string): Edit => ({
      path: 'key.sh',
      kind: 'replace',
      before: { text: before },
      after: { text: after },
    });

    it.each<[string, boolean, Partial<DraftOf<'approval-request'>>]>([
      ['a word', false, { edits: [write('DB_PASSWORD=Sup3rS3cret\nls\n')] }],
      ['a command behind it', true, { edits: [write('DB_PASSWORD=ab12;reboot ls\n')] }],
      ['the lines of a key', true, { edits: [write(pem.join('\n'))] }],
      ['a line in the middle of a key', true, { edits: [replace(`${key}\n-----END`, `${key}\nreboot\n-----END`)] }],
      ['a key that goes', false, { edits: [write('echo\n', 'key.sh')] }],
      ['what is not compared', true, { edits: [write('DB_PASSWORD=ab12;reboot ls\n', 'out/new.sh')] }],
      ['a word that is not compared', false, { edits: [write('DB_PASSWORD=Sup3rS3cret\n', 'out/new.sh')] }],
      ['another field', true, { input: { script: ['ls', 'DB_PASSWORD=ab12;reboot ls'] } }],
      ['a word of another field', false, { input: { script: 'DB_PASSWORD=Sup3rS3cret ls' } }],
      ['what stands in the quotes of a command', false, { command: COOKIE, input: { command: COOKIE } }],
    ])('%s', (_, expected, facts) => {
      expect(hides(facts)).toBe(expected);
    });
  });

  it('who else works there, unless it only looks', () => {
    const others = ['k7qd (codex)'];
    expect(ask({ toolKind: 'execute', command: 'make' }, others).alsoHere).toEqual(others);
    expect(ask({ toolName: 'mcp__x__y' }, others).alsoHere).toEqual(others);
    expect(ask({ toolKind: 'execute', command: 'make' }, [])).not.toHaveProperty('alsoHere');
    for (const toolKind of ['read', 'search', 'think', 'fetch'] as const)
      expect(ask({ toolKind }, others)).not.toHaveProperty('alsoHere');
  });

  it('nothing where there is nothing to tell', () => {
    const request = {
      type: 'approval-request',
      id: 'q',
      kind: 'tool',
      turn: 1,
      toolKind: 'execute',
      command: 'ls',
    } as const;
    expect(ask(request)).toEqual({ ...request, directory: project });
  });

  it('which paths lead outside', () => {
    const away = ['/etc/hosts', '../x', '~/.bashrc', 'out/secret', 'out/../a.ts'];
    expect(ask({ paths: ['a.ts', path.join(added, 'b'), ...away] }).outside).toEqual(away);
    expect(ask({ edits: [{ path: 'a.ts', kind: 'move', to: '/tmp/a.ts' }] }).outside).toEqual(['/tmp/a.ts']);
    expect(ask({ directory: '/etc', paths: ['hosts'] }).outside).toEqual(['hosts', '/etc']);
  });

  it('which of them have a second name, that may be outside', () => {
    linkSync(path.join(elsewhere, 'secret'), path.join(project, 'b.ts'));
    expect(ask({ paths: ['a.ts', 'b.ts'] }).linked).toEqual(['b.ts']);
    expect(ask({ paths: ['a.ts', '.'] })).not.toHaveProperty('linked');
  });

  it('and nothing of a file outside', () => {
    const { differences } = ask({ edits: [edit('out/secret')] });
    expect(differences).toEqual([{ path: 'out/secret', notShown: expect.stringContaining('outside'), hunks: [] }]);
  });

  it('but a question that is about no tool stays as it is', () => {
    expect(ask({ kind: 'plan' })).toEqual({ type: 'approval-request', id: 'q', kind: 'plan', turn: 1 });
  });
});

it('every reader of a run gets the difference, and of a key in the file not one line', async () => {
  const cwd = temporaryDirectory();
  const body = Array.from({ length: 6 }, (_, index) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj${index}`);
  const key = ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----'].join('\n');
  writeFileSync(path.join(cwd, 'a.ts'), `${key}\nexport const port = 80;\n`);
  const input = { file_path: 'a.ts', old_string: 'port = 80', new_string: 'port = 8080' };
  const handle = play([init(), ask('q1', 't1', 'Edit', input), { hear: 'q1' }, result('ok')], { cwd });
  const events = await readAll(handle, (event) => {
    if (event.type === 'approval-request') handle.deny(event.id);
  });
  expect(events.find(({ type }) => type === 'approval-request')).toMatchObject({
    directory: cwd,
    differences: [
      {
        path: 'a.ts',
        hunks: [
          {
            oldStart: 6,
            lines: [
              ' [redacted]',
              ' [redacted]',
              ' [redacted]',
              '-export const port = 80;',
              '+export const port = 8080;',
            ],
          },
        ],
      },
    ],
  });
  for (const line of body) expect(JSON.stringify(events)).not.toContain(line);
});

it('no file is read where a rule decides', async () => {
  const cwd = temporaryDirectory();
  writeFileSync(path.join(cwd, 'a.ts'), 'one\n');
  const input = { file_path: 'a.ts', old_string: 'one', new_string: 'two' };
  const script = [init(), ask('q1', 't1', 'Edit', input), { hear: 'q1' }, result('ok')];
  const events = await readAll(play(script, { cwd, rules: [{ decision: 'allow', kind: 'edit' }] }));
  const request = events.find(({ type }) => type === 'approval-request');
  expect(request).toMatchObject({ directory: cwd, paths: ['a.ts'] });
  expect(request).not.toHaveProperty('differences');
});
