/** Tab in the real shells. What is not installed here is left out; bash is everywhere where these tests run. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeRun } from '../../src/store/conformance/events.js';
import { openStore, type Store } from '../../src/store/index.js';
import { CLI, glassbox } from './glassbox.js';

const place = mkdtempSync(path.join(tmpdir(), 'glassbox-tab-'));
const folder = path.join(place, 'work');
const env = {
  ...process.env,
  PATH: `${place}:${process.env.PATH}`,
  HOME: place,
  GLASSBOX_STORE: path.join(place, 'store.db'),
  TERM: 'dumb',
};

/** Each would make a file here if a shell took it for more than words. */
const HOSTILE = [
  '$(touch made-1)',
  '`touch made-2`',
  "'; touch made-3; '",
  '"; touch made-4; "',
  'two\nlines; touch made-5',
  '\n$(touch made-6)\n',
  `%F{red}\${(e):-$(touch made-7)}`,
  '\\$(touch made-8) \\" \\\'',
  '*  ?  [a-z]  ~root  {a,b}  !!',
  'a\ttab and \x1b]0;title\x07',
];

let store: Store;
let ids: string[];

beforeAll(async () => {
  writeFileSync(path.join(place, 'glassbox'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, { mode: 0o755 });
  spawnSync('mkdir', [folder]);
  store = await openStore(env.GLASSBOX_STORE);
  const drawn = fc.sample(fc.string({ unit: fc.constantFrom(...'$`(){}\'"\\;&|<>*?~!#% \n\tab') }), 10);
  for (const [index, prompt] of [...HOSTILE, ...drawn].entries())
    await store.append(wholeRun({ runId: `r${index}`, sessionId: `agent-${index}` }, { prompt: `${prompt} ` }));
  ids = (await store.list({ limit: 100 })).items.map(({ id }) => id);
});
afterAll(() => store.close());

const script = async (shell: string) => {
  const file = path.join(place, `completion.${shell}`);
  if (!existsSync(file)) writeFileSync(file, (await glassbox(['completion', shell])).stdout);
  return file;
};
const isHere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe.skipIf(!isHere('bash'))('bash', () => {
  /** What would be offered for this line; `type` 63 lists them. */
  const tab = async (line: string, type = 9) => {
    const words = line.split(' ');
    const code = `source "$1"; COMP_LINE=$2 COMP_POINT=\${#2} COMP_TYPE=$3; COMP_WORDS=("\${@:4}") COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _glassbox; ((\${#COMPREPLY[@]})) && printf '%s\\0' "\${COMPREPLY[@]}"`;
    const args = ['--norc', '-c', code, 'bash', await script('bash'), line, String(type), ...words];
    const { stdout, stderr } = spawnSync('bash', args, { env, cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\0').slice(0, -1);
  };

  test('completes commands, flags, their values and agents', async () => {
    expect(await tab('glassbox sho')).toEqual(['show']);
    expect(await tab('glassbox run --permi')).toEqual(['--permission']);
    expect(await tab('glassbox run --permission ac')).toEqual(['accept-edits']);
    expect(await tab('glassbox run cla')).toEqual(['claude']);
    expect(await tab('glassbox sessions --agent cod')).toEqual(['codex']);
    expect(await tab('glassbox run claude cla')).toEqual([]);
  });

  test('ids of sessions, and their titles are only shown', async () => {
    expect((await tab('glassbox show ')).sort()).toEqual([...ids].sort());
    const listed = await tab('glassbox show ', 63);
    expect(listed).toHaveLength(ids.length);
    expect(listed.join('\n')).toContain('($(touch made-1)');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.skipIf(!isHere('fish'))('fish', () => {
  test('ids of sessions with their titles, which are data', async () => {
    const code = 'source $argv[1]; complete -C "glassbox show "';
    const { stdout } = spawnSync('fish', ['--no-config', '-c', code, await script('fish')], {
      env,
      cwd: folder,
      encoding: 'utf8',
    });
    const offered = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '');
    expect(offered.sort()).toEqual([...ids].sort());
    expect(stdout).toContain('$(touch made-1)');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.skipIf(!isHere('zsh'))('zsh', () => {
  test('ids of sessions with their titles, which are data', async () => {
    const parts = 'compdef() {}; _files() {}; compadd() { print -rN -- $found; print -rN -- $shown }';
    const code = `${parts}; source $1; words=(glassbox show ''); CURRENT=3; _glassbox`;
    const args = ['-f', '-c', code, 'zsh', await script('zsh')];
    const { stdout, stderr } = spawnSync('zsh', args, { env, cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    const offered = stdout.split('\0').slice(0, -1);
    expect(offered.slice(0, ids.length).sort()).toEqual([...ids].sort());
    expect(offered).toHaveLength(2 * ids.length);
    expect(stdout).toContain('$(touch made-1)');
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('complete is never in the way: without a store nothing is said', async () => {
  expect(await glassbox(['complete', '--', 'show', ''], '', { GLASSBOX_STORE: '/dev/null/x' })).toMatchObject({
    stdout: '',
    stderr: '',
    status: 0,
  });
});

test('a code of a question is not offered, because it stands for what was shown', async () => {
  const { stdout } = await glassbox(['complete', '--', 'approve', ''], '', env);
  expect(stdout).toBe('');
});
