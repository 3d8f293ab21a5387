/** `glassbox open`: a kept session in the agent's own program. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { handOver } from '../../src/run/index.js';
import { answer } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { environment, fakeRun } from './fake-run.js';
import { glassbox, temporaryFile } from './glassbox.js';

const SESSION = '11111111-2222-4333-8444-555555555555';

describe('S4-16 glassbox open', () => {
  const store = path.join(temporaryDirectory(), 'store.db');
  const cwd = temporaryDirectory();
  const told = path.join(temporaryDirectory(), 'told');
  const ours = temporaryFile('ours.json', JSON.stringify({ agents: { claude: { program: FAKE_AGENT } } }));
  const env = { ...environment([{ tell: told }, { exit: 7 }]), GLASSBOX_STORE: store, GLASSBOX_CONFIG: ours };
  let id = '';

  beforeAll(async () => {
    await fakeRun(['run', 'claude', 'Begin'], answer('x'), { env: { GLASSBOX_STORE: store }, cwd });
    id = JSON.parse((await glassbox(['sessions', '--json'], '', env)).stdout).id;
  });

  test('starts the agent’s own program where the session was, with its id, and ends as it ends', async () => {
    const ours = { GLASSBOX_TOKEN: 'secret-token', GLASSBOX_RUN_ID: 'outer' };
    const { status, stderr } = await glassbox(['open', id.slice(0, 4)], '', { ...env, ...ours, CLAUDECODE: '1' });
    expect(stderr).toMatch(new RegExp(`^glassbox: opening ${id} \\(claude, .*: Begin\\n`));
    expect(stderr).toContain('glassbox: back from Claude Code: nothing was said there.');
    expect(status).toBe(7);
    const { argv, cwd: where, env: its } = JSON.parse(readFileSync(told, 'utf8'));
    expect(argv).toEqual(['--resume', SESSION]);
    expect(where).toBe(cwd);
    expect(its.CLAUDECODE).toBeUndefined();
    expect(Object.keys(its).filter((name) => name.startsWith('GLASSBOX_'))).toEqual(['GLASSBOX_RUN_ID']);
  });

  test('says the command when asked to', async () => {
    expect((await glassbox(['open', id, '--print'], '', env)).stdout).toBe(`claude --resume ${SESSION}\n`);
  });

  test('says when there is none, when its program is missing, and when the agent has none of its own', async () => {
    expect(await glassbox(['open', 'zzzz'], '', env)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('There is no session zzzz'),
    });
    const missing = temporaryFile('missing.json', JSON.stringify({ agents: { claude: { program: '/nowhere' } } }));
    expect(await glassbox(['open', id], '', { ...env, GLASSBOX_CONFIG: missing })).toMatchObject({
      stderr: expect.stringContaining('Install it with'),
    });
    for (const { name, capabilities } of AGENTS.filter(({ openArgs }) => !openArgs))
      expect(() => handOver(name, 'abc'), name).toThrow(
        capabilities.resume ? /cannot be opened.* glassbox resume/ : /cannot be opened.* glassbox fork --agent/,
      );
  });

  test.each(['--dangerous', 'a b', '../x', 'x\ny', ''])('an id like %j is never passed on', (hostile) => {
    expect(() => handOver('claude', hostile)).toThrow('cannot be passed on');
  });
});
