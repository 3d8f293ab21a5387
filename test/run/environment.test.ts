import { describe, expect, it } from 'vitest';
import { openKept } from '../../src/cli/kept/open-kept.js';
import { childEnvironment, type Environment, type EnvironmentOptions } from '../../src/run/process/environment.js';

const parent: Environment = {
  HOME: '/me',
  PATH: '/bin',
  NEST: '1',
  NEST_A: '1',
  NEST_B: '1',
  NODE_OPTIONS: '--inspect',
  PWD: '/where/glassbox/works',
};

function child(options: Partial<EnvironmentOptions> = {}): Environment {
  return childEnvironment(parent, { drop: [], runId: 'r1', ...options });
}

describe('the environment of a child', () => {
  it('LL-21 loses what disturbs a nested agent, by name and by prefix', () => {
    const env = child({ drop: ['NEST_*'] });
    expect(env).toMatchObject({ HOME: '/me', NEST: '1' });
    expect(Object.keys(env)).not.toContain('NEST_A');
    expect(Object.keys(env)).not.toContain('NODE_OPTIONS');
  });

  it('has nothing of glassbox but the run id: no store, no token, no configuration', () => {
    const secrets = { GLASSBOX_STORE: '/s', GLASSBOX_TOKEN: 't', GLASSBOX_STATE_DIR: '/d', GLASSBOX_CONFIG: '/c' };
    const env = childEnvironment({ ...secrets, GLASSBOX_RUN_ID: 'r0' }, { drop: [], runId: 'r1' });
    expect(env).toEqual({ GLASSBOX_RUN_ID: 'r0/r1' });
  });

  it('has no password of the database in which its run is kept, and every other one', async () => {
    const passwords = { PGPASSWORD: 'p', PGPASSFILE: '/f', MYSQL_PWD: 'm' };
    const inherited = () => childEnvironment(passwords, { drop: [], runId: 'r1' });
    await openKept(':memory:').then((store) => store.close());
    expect(inherited()).toEqual({ ...passwords, GLASSBOX_RUN_ID: 'r1' });
    const opening = openKept('postgres://nobody@127.0.0.1:1/none').catch(() => {});
    expect(inherited()).toEqual({ MYSQL_PWD: 'm', GLASSBOX_RUN_ID: 'r1' });
    await opening;
  });

  it('does not say where glassbox works: some agents believe PWD more than their directory', () => {
    expect(Object.keys(child())).not.toContain('PWD');
  });

  it('LL-21 S2-12 the request wins over everything, and can remove', () => {
    const env = child({
      drop: ['NEST_*'],
      command: { A: 'command', B: 'command' },
      request: { A: 'mine', NEST_A: '2', HOME: undefined },
    });
    expect(env).toMatchObject({ A: 'mine', B: 'command', NEST_A: '2', HOME: undefined });
  });

  it('U-2.3 never touches the environment of the parent', () => {
    const before = { ...parent };
    child({ drop: ['NEST*'], request: { HOME: 'x' }, programDir: '/opt' });
    expect(parent).toEqual(before);
  });

  it('decision 7 marks the run, and a run inside a run with both marks', () => {
    expect(child().GLASSBOX_RUN_ID).toBe('r1');
    expect(childEnvironment({ GLASSBOX_RUN_ID: 'outer' }, { drop: [], runId: 'r1' }).GLASSBOX_RUN_ID).toBe('outer/r1');
  });

  it('LL-20 puts the directory of the program in front of PATH, once, under the name it has', () => {
    expect(child({ programDir: '/opt' }).PATH).toBe('/opt:/bin');
    expect(child({ programDir: '/bin' }).PATH).toBe('/bin');
    const windows = childEnvironment({ Path: '/a' }, { drop: [], runId: 'r', programDir: '/opt' });
    expect(windows).toMatchObject({ Path: '/opt:/a' });
    expect(windows.PATH).toBeUndefined();
  });
});
