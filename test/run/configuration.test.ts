import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultsFor, readConfiguration, userFile } from '../../src/run/request/configuration.js';
import { checkSettings } from '../../src/run/request/setting.js';
import { temporaryDirectory } from '../fake-agent/play.js';

/** A repository with a sub-directory, a home, and what is written where. */
function world(files: { user?: unknown; project?: unknown; env?: Record<string, string> }) {
  const root = temporaryDirectory();
  const cwd = path.join(root, 'repo', 'sub');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(path.join(root, 'repo', '.git'));
  const GLASSBOX_CONFIG = path.join(root, 'user.json');
  if (files.user) writeFileSync(GLASSBOX_CONFIG, asText(files.user));
  if (files.project) writeFileSync(path.join(root, 'repo', 'glassbox.json'), asText(files.project));
  const env = { GLASSBOX_CONFIG, ...files.env };
  return readConfiguration({ cwd, env, home: root, platform: 'linux' });
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

describe('decision 17 configuration', () => {
  it('U-1.4 the environment goes before the project, the project before the user', async () => {
    const { settings, sources, problems } = await world({
      user: { model: 'user', timeoutMs: 1, budgetUsd: 1, watchdog: { silence: false } },
      project: { model: 'project', timeoutMs: 2, watchdog: { linger: false } },
      env: { GLASSBOX_MODEL: 'environment', GLASSBOX_DELTAS: 'false' },
    });
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      model: 'environment',
      deltas: false,
      timeoutMs: 2,
      budgetUsd: 1,
      watchdog: { silence: false, linger: false },
    });
    expect(sources.map(({ name }) => path.basename(name))).toEqual(['environment', 'glassbox.json', 'user.json']);
  });

  it('is nothing when there is nothing', async () => {
    expect(await world({})).toEqual({ settings: {}, sources: [], problems: [] });
  });

  it('rules of all files hold together', async () => {
    const { settings } = await world({
      user: { rules: [{ decision: 'deny', path: '**/.env' }] },
      project: { rules: [{ decision: 'allow', command: 'npm test *' }] },
    });
    expect(settings.rules?.map(({ decision }) => decision)).toEqual(['allow', 'deny']);
  });

  it('a project may not choose what is started, nor lift every check', async () => {
    const { settings, problems } = await world({
      project: {
        permission: 'bypass',
        agents: { toy: { program: './evil', env: { A: 'b' }, model: 'm' } },
        serve: { bypass: true },
      },
    });
    expect(settings).toEqual({ agents: { toy: { model: 'm' } } });
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).toMatch(/serve must not be set here/);
    expect(problems.join('\n')).toMatch(/permission must not be bypass here/);
  });

  it('the user may', async () => {
    const user = {
      permission: 'bypass',
      serve: { bypass: true },
      agents: { toy: { program: '/bin/toy', args: ['-x'], env: { A: 'b' } } },
    };
    const { settings, problems } = await world({ user, project: { agents: { toy: { model: 'm' } } } });
    expect(problems).toEqual([]);
    expect(settings.serve).toEqual({ bypass: true });
    expect(defaultsFor(settings, 'toy')).toEqual({
      permission: 'bypass',
      program: '/bin/toy',
      args: ['-x'],
      env: { A: 'b' },
      model: 'm',
    });
    expect(defaultsFor(settings, 'other')).toEqual({ permission: 'bypass' });
  });

  it('outside of a repository only the directory itself counts', async () => {
    const root = temporaryDirectory();
    const cwd = path.join(root, 'sub');
    mkdirSync(cwd);
    writeFileSync(path.join(root, 'glassbox.json'), '{"model":"planted"}');
    const read = (dir: string) => readConfiguration({ cwd: dir, env: {}, home: root, platform: 'linux' });
    expect((await read(cwd)).settings).toEqual({});
    expect((await read(root)).settings).toEqual({ model: 'planted' });
  });

  it.each([
    ['not JSON', '{', /is not JSON/],
    ['not an object', [], /the whole must be an object/],
    ['a misspelt setting', { permision: 'ask' }, /permision is not known; the nearest is "permission"$/m],
    ['an unknown setting', { wholly: 'other' }, /wholly is not known; there are agent, model, permission/],
    ['a wrong choice', { permission: 'yes' }, /permission must be one of ask, accept-edits/],
    ['a wrong type', { timeoutMs: '5' }, /timeoutMs must be a number of milliseconds/],
    ['a budget of nothing', { budgetUsd: 0 }, /budgetUsd must be a number above 0/],
    [
      'alternatives in a glob',
      { rules: [{ decision: 'deny', path: '**/*.{pem,key}' }] },
      /rules\[0\].path has alternatives in braces/,
    ],
    [
      'the separator of Windows in a glob',
      { rules: [{ decision: 'deny', path: 'secrets\\**' }] },
      /rules\[0\].path has a backslash: write \/ between names/,
    ],
    ['a rule about everything', { rules: [{ decision: 'allow' }] }, /rules\[0\] must say what it is about/],
    ['a rule without a decision', { rules: [{ tool: 'Bash' }] }, /rules\[0\] must be an object with decision/],
    ['a wrong kind', { rules: [{ decision: 'ask', kind: 'shell' }] }, /rules\[0\].kind must be one of read, edit/],
    ['half a watch', { watchdog: { silence: { afterMs: 5 } } }, /watchdog.silence must be/],
  ])('says what is wrong: %s', async (_, user, message) => {
    const { settings, problems } = await world({ user });
    expect(problems.join('\n')).toMatch(message);
    expect(problems.join('\n')).toMatch(/user\.json: /);
    expect(settings.rules ?? []).toEqual([]);
  });

  it('names the variable that is wrong', async () => {
    const { problems } = await world({ env: { GLASSBOX_TIMEOUT_MS: 'soon' } });
    expect(problems).toEqual(['GLASSBOX_TIMEOUT_MS must be a number of milliseconds']);
  });

  it('takes every example of a rule', () => {
    const problems: string[] = [];
    const rules = [
      { decision: 'allow', kind: 'read' },
      { decision: 'ask', tool: 'mcp__*' },
      { decision: 'deny', path: '**/.env', command: 'cat *' },
    ];
    expect(checkSettings({ rules }, '', problems)?.rules).toEqual(rules);
    expect(problems).toEqual([]);
  });

  it.each([
    ['linux', {}, '/home/me/.config/glassbox/glassbox.json'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/glassbox/glassbox.json'],
    ['darwin', {}, '/home/me/.config/glassbox/glassbox.json'],
    ['win32', { APPDATA: 'C:\\Roaming' }, 'C:\\Roaming\\glassbox\\glassbox.json'],
  ] as const)('S2-19 the user’s file on %s with %j is %s', (platform, env, expected) => {
    expect(userFile({ platform, env, home: '/home/me', cwd: '/' })).toBe(expected);
  });
});
