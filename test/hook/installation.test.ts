/** Our hooks in somebody's settings: nothing else changes, and what was put in can be taken out to the byte. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/index.js';
import { gemini } from '../../src/agent/gemini/index.js';
import { readJsonText } from '../../src/agent/json-text.js';
import { qwen } from '../../src/agent/qwen/index.js';
import { findInstalled, planInstall, planRemove } from '../../src/hook/installation.js';
import { hookCommand, isOurs, type Sender } from '../../src/hook/sender.js';
import { createPlace, NO_SETTINGS, type Place, SETTINGS } from './settings.js';

const sender: Sender = { name: 'test', call: (socket) => `cat > ${socket}` };
const install = (place: Place, check = false) => planInstall(claude, place, { sender, check });
const EVENTS = [
  'PermissionRequest',
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'Notification',
];

describe.each(Object.entries(SETTINGS))('settings with %s', (_, text) => {
  test('get our hooks and keep everything else', async () => {
    const place = createPlace();
    place.write(text);
    const before = await findInstalled(claude, place);
    await (await install(place)).make();
    const { ours, others } = await findInstalled(claude, place);
    expect(ours.map(({ at }) => at).sort()).toEqual([...EVENTS].sort());
    expect(others).toBe(before.others);
    expect(besidesHooks(place.read())).toEqual(besidesHooks(text));
    expect(commentsOf(place.read())).toEqual(commentsOf(text));
    expect(place.read().includes('\r\n')).toBe(text.includes('\r\n'));
    expect(/[^\r]\n/.test(place.read())).toBe(!text.includes('\r\n'));
  });

  test('are the same bytes when ours are removed, also after a second time', async () => {
    const place = createPlace();
    place.write(text);
    await (await install(place)).make();
    await (await install(place, true)).make();
    expect((await install(place, true)).isNothing).toBe(true);
    await (await planRemove(claude, place)).make();
    expect(place.read()).toBe(text);
    expect((await planRemove(claude, place)).isNothing).toBe(true);
  });

  test('lose only ours when somebody changed them meanwhile', async () => {
    const place = createPlace();
    place.write(text);
    await (await install(place)).make();
    place.write(`${place.read()}\n`);
    await (await planRemove(claude, place)).make();
    const { ours, others, file } = await findInstalled(claude, place);
    expect(ours).toEqual([]);
    expect(others).toBe(claude.hooks?.find(text).length);
    expect(commentsOf(file.text ?? '')).toEqual(commentsOf(text));
    expect(besidesHooks(file.text ?? '')).toEqual(besidesHooks(text));
  });
});

test.each([
  [qwen, ['PermissionRequest', 'Stop'], 5],
  [gemini, ['Notification', 'AfterAgent'], 5000],
])('other programs are only listened to, and get their settings back: $title', async (agent, events, timeout) => {
  const home = createPlace().home;
  const place = { env: {}, home, stateFolder: path.join(home, 'state') };
  const file = path.join(home, `.${agent.name}`, 'settings.json');
  mkdirSync(path.dirname(file));
  const text = '{\n  "theme": "Dark", // mine\n  "hooks": {"Stop": []}\n}\n';
  writeFileSync(file, text);
  await (await planInstall(agent, place, { sender, check: true })).make();
  const { ours } = await findInstalled(agent, place);
  expect(ours.map(({ at }) => at)).toEqual(expect.arrayContaining(events));
  expect(new Set(ours.map(({ command }) => command)), 'none of them waits').toEqual(
    new Set([hookCommand(sender, path.join(place.stateFolder, 'hooks', 'hook.sock'), 'watch')]),
  );
  expect(readFileSync(file, 'utf8')).toContain(`"timeout": ${timeout}`);
  await (await planRemove(agent, place)).make();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each(Object.entries(NO_SETTINGS))('%s is left alone', async (_, text) => {
  const place = createPlace();
  place.write(text);
  await expect(install(place)).rejects.toMatchObject({ code: 'conflict' });
  expect(place.read()).toBe(text);
});

test('whatever settings there are, install and remove give back the same bytes', async () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const blank = fc.constantFrom('', ' ', '\n', '\n  ', '\t', ' // remark\n', '/* remark */', '\r\n');
  const hooks = fc.dictionary(
    fc.constantFrom(...EVENTS, 'PreCompact'),
    fc.array(fc.constant({ hooks: [{ command: 'theirs' }] })),
  );
  const settings = fc
    .record({
      rest: fc.dictionary(fc.string(), json),
      hooks: fc.option(hooks),
      blanks: fc.infiniteStream(blank),
      comma: fc.boolean(),
    })
    .map(({ rest, hooks: theirs, blanks, comma }) => {
      const { hooks: _, ...others } = rest;
      const whole = JSON.stringify(theirs ? { ...others, hooks: theirs } : others, null, 2);
      return spread(comma ? whole.replace(/([^{,\s])\n\}$/, '$1,\n}') : whole, () => blanks.next().value as string);
    });
  await fc.assert(
    fc.asyncProperty(settings, fc.boolean(), async (text, edited) => {
      const place = createPlace();
      place.write(text);
      await (await install(place)).make();
      expect((await findInstalled(claude, place)).ours).toHaveLength(EVENTS.length);
      if (edited) place.write(`${place.read()} `);
      await (await planRemove(claude, place)).make();
      if (!edited) expect(place.read()).toBe(text);
      const left = claude.hooks?.find(place.read());
      expect(left).toEqual(claude.hooks?.find(text));
    }),
    { numRuns: 40 },
  );
});

test('a file that was not there is gone again', async () => {
  const place = createPlace();
  const change = await install(place);
  expect(change.file.text).toBeUndefined();
  await change.make();
  expect(statSync(place.file).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(place.stateFolder, 'hooks')).mode & 0o777).toBe(0o700);
  await (await planRemove(claude, place)).make();
  expect(existsSync(place.file)).toBe(false);
});

test('the folder that a variable names comes first', async () => {
  const place = createPlace();
  const folder = path.join(place.home, 'elsewhere');
  mkdirSync(folder);
  place.write('{}');
  await (await planInstall(claude, { ...place, env: { CLAUDE_CONFIG_DIR: folder } }, { sender, check: false })).make();
  expect(readdirSync(folder)).toEqual(['settings.json']);
  expect(place.read()).toBe('{}');
});

test('links and modes stay', async () => {
  const place = createPlace();
  const real = path.join(place.home, 'dotfiles.json');
  place.write('{}\n');
  chmodSync(place.file, 0o640);
  renameSync(place.file, real);
  symlinkSync(real, place.file);
  await (await install(place)).make();
  expect(lstatSync(place.file).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect((await findInstalled(claude, place)).ours).toHaveLength(EVENTS.length);
  expect(readdirSync(path.dirname(real))).toEqual(['.claude', 'dotfiles.json']);
  await (await planRemove(claude, place)).make();
  expect(place.read()).toBe('{}\n');
});

test.each([
  ['may not be written to', (place: Place) => chmodSync(place.file, 0o400), 'forbidden'],
  ['has a second name', (place: Place) => linkSync(place.file, `${place.file}.too`), 'conflict'],
  ['was changed after it was read', (place: Place) => place.write('{"mine": 1}'), 'conflict'],
  [
    'is another file now',
    (place: Place) => {
      renameSync(place.file, `${place.file}.old`);
      place.write('{"a": 1}');
    },
    'conflict',
  ],
])('a file that %s is left alone', async (_, happens, code) => {
  const place = createPlace();
  place.write('{}');
  const change = await install(place);
  happens(place);
  const now = place.read();
  await expect(change.make()).rejects.toMatchObject({ code });
  expect(place.read()).toBe(now);
  expect(readdirSync(path.dirname(place.file)).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a link that leads nowhere and a folder that is not there are told', async () => {
  const place = createPlace();
  symlinkSync(path.join(place.home, 'nothing'), place.file);
  await expect(install(place)).rejects.toMatchObject({ code: 'conflict' });
  await expect(install({ ...place, home: '/nowhere' })).rejects.toMatchObject({ code: 'not-found' });
});

test('only questions wait for an answer, and calls where the user wants them checked', async () => {
  const place = createPlace();
  const commandAt = async (check: boolean) => {
    await (await install(place, check)).make();
    const { ours } = await findInstalled(claude, place);
    return Object.fromEntries(ours.map(({ at, command }) => [at, command]));
  };
  const socket = path.join(place.stateFolder, 'hooks', 'hook.sock');
  const [watch, check, ask] = (['watch', 'check', 'ask'] as const).map((mode) => hookCommand(sender, socket, mode));
  expect(await commandAt(false)).toMatchObject({ PermissionRequest: ask, PreToolUse: watch, PostToolUse: watch });
  expect(await commandAt(true)).toMatchObject({ PermissionRequest: ask, PreToolUse: check, PostToolUse: watch });
  expect([watch, check, ask].map((command) => isOurs(command ?? ''))).toEqual([true, true, true]);
  expect(isOurs('echo glassbox')).toBe(false);
});

function besidesHooks(text: string): unknown {
  const { hooks: _, ...rest } = (readJsonText(text)?.value ?? {}) as Record<string, unknown>;
  return rest;
}

/** In the order of the text; ours have none. */
function commentsOf(text: string): string[] {
  const strings = /"(?:[^"\\]|\\.)*"/g;
  return [...text.replace(strings, '""').matchAll(/\/\/[^\r\n]*|\/\*.*?\*\//g)].map(([found]) => found);
}

/** Blanks and remarks where they may stand. */
function spread(json: string, blank: () => string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g, (found) =>
    found.length === 1 ? `${blank()}${found}${blank()}` : found,
  );
}
