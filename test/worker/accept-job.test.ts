/** What a worker does for a hub, and what it refuses, whatever the hub says. */
import { expect, test } from 'vitest';
import { acceptJob, checkWorkerFile, type WorkerFile } from '../../src/worker/index.js';

const file: WorkerFile = { projects: { shop: '/srv/shop' } };
const spec = { agent: 'claude', prompt: 'go' };

test('a job of a project that it knows is done there, and asks', () => {
  expect(acceptJob({ spec: { ...spec, model: 'm', maxTurns: 3 }, project: 'shop' }, file)).toEqual({
    request: {
      ...spec,
      model: 'm',
      maxTurns: 3,
      permission: 'ask',
      cwd: '/srv/shop',
      attended: true,
      approvalTimeoutMs: 0,
    },
  });
});

test.each<[what: string, job: object, refusal: RegExp]>([
  ['another project', { project: 'blog' }, /knows no project blog/],
  ['a name that every object has', { project: 'toString' }, /knows no project toString/],
  ['a program', { spec: { ...spec, program: '/bin/sh' } }, /cannot say program: that is the worker's own/],
  ['arguments', { spec: { ...spec, args: ['-x'] } }, /cannot say args/],
  ['an environment', { spec: { ...spec, env: { A: 'b' } } }, /cannot say env/],
  ['a directory', { spec: { ...spec, cwd: '/' } }, /cannot say cwd/],
  ['another directory', { spec: { ...spec, addDirs: ['/'] } }, /cannot say addDirs/],
  ['rules', { spec: { ...spec, rules: [] } }, /cannot say rules/],
  ['bypass', { spec: { ...spec, permission: 'bypass' } }, /allows ask at most, and not bypass/],
  ['more than it allows', { spec: { ...spec, permission: 'accept-edits' } }, /allows ask at most/],
  ['a permission that nobody knows', { spec: { ...spec, permission: 'all' } }, /no permission all/],
  ['another type', { spec: { ...spec, prompt: { text: 'x' } } }, /prompt must be a string/],
])('refused: %s', (_, job, refusal) => {
  const given = { spec, project: 'shop', ...job } as Parameters<typeof acceptJob>[0];
  expect(acceptJob(given, file)).toEqual({ refusal: expect.stringMatching(refusal) });
});

test('the ceiling is the file’s, and never bypass', () => {
  const asked = (permission: string, ceiling: string) =>
    'request' in
    acceptJob({ spec: { ...spec, permission } as never, project: 'shop' }, { ...file, permission: ceiling as never });
  expect(asked('accept-edits', 'accept-edits')).toBe(true);
  expect(asked('bypass', 'bypass')).toBe(false);
  expect(asked('ask', 'plan')).toBe(false);
  const least = acceptJob({ spec, project: 'shop' }, { ...file, permission: 'plan' });
  expect(least).toMatchObject({ request: { permission: 'plan' } });
  expect(acceptJob({ spec, project: 'shop' }, { ...file, agents: ['codex'] })).toMatchObject({
    refusal: /does not run/,
  });
});

test.each<[json: string, message: RegExp]>([
  ['{', /is not JSON/],
  ['{}', /projects/],
  ['{"projects":{}}', /projects names none/],
  ['{"projects":{"shop":1}}', /projects.shop/],
  ['{"projects":{"shop":"."},"permission":"bypass"}', /permission must not be bypass/],
  ['{"projects":{"shop":"."},"program":"x"}', /program/],
])('a file that makes no sense is refused: %s', (json, message) => {
  expect(() => checkWorkerFile(json, '/etc/w.json')).toThrow(message);
});

test('directories are meant from where the file is', () => {
  const json = '\uFEFF{"projects":{"shop":"shop","blog":"/srv/blog"},"labels":["gpu"]}';
  expect(checkWorkerFile(json, '/etc/glassbox/worker.json')).toEqual({
    projects: { shop: '/etc/glassbox/shop', blog: '/srv/blog' },
    labels: ['gpu'],
  });
});
