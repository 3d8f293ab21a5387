/** What is in force, and from which place. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settingPlaces, USUAL } from '../../src/cli/command/config/setting-list.js';
import { readConfiguration } from '../../src/run/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { environment } from './fake-run.js';
import { start } from './glassbox.js';

async function placesIn(files: { own: object; project: object; env: Record<string, string> }) {
  const cwd = temporaryDirectory();
  const own = path.join(temporaryDirectory(), 'own.json');
  writeFileSync(own, JSON.stringify(files.own));
  writeFileSync(path.join(cwd, 'glassbox.json'), JSON.stringify(files.project));
  const env = { ...files.env, GLASSBOX_CONFIG: own };
  const configuration = await readConfiguration({ cwd, env, home: cwd, platform: process.platform });
  const project = path.join(cwd, 'glassbox.json');
  return { places: settingPlaces(configuration), own, project };
}

test('every setting stands under the place that sets it; what is overridden is told; rules of all places hold', async () => {
  const { places, own, project } = await placesIn({
    own: { agent: 'codex', model: 'a', agents: { codex: { model: 'x', args: ['-v'] } }, notify: ['say', 'hi'] },
    project: { model: 'b', rules: [{ decision: 'deny', command: 'rm *' }], agents: { codex: { model: 'y' } } },
    env: { GLASSBOX_MODEL: 'c' },
  });
  expect(places).toEqual([
    { name: 'environment', settings: [{ name: 'model', value: 'c' }] },
    {
      name: project,
      settings: [
        { name: 'model', value: 'b', overriddenBy: 'environment' },
        { name: 'agents.codex.model', value: 'y' },
        { name: 'rules', value: 'deny command=rm *' },
      ],
    },
    {
      name: own,
      settings: [
        { name: 'agent', value: 'codex' },
        { name: 'model', value: 'a', overriddenBy: 'environment' },
        { name: 'agents.codex.model', value: 'x', overriddenBy: project },
        { name: 'agents.codex.args', value: '["-v"]' },
        { name: 'notify', value: '["say","hi"]' },
      ],
    },
    { name: 'default', settings: Object.entries(USUAL).map(([name, value]) => ({ name, value })) },
  ]);
});

test('the defaults are those of the document', () => {
  const document = readFileSync('docs/configuration.md', 'utf8');
  for (const name of Object.keys(USUAL)) expect(document).toContain(`| \`${name}\``);
});

test('glassbox config prints it, hides what is secret, and ends with 2 when something makes no sense', async () => {
  const folder = temporaryDirectory();
  mkdirSync(path.join(folder, 'own'));
  const own = path.join(folder, 'own', 'mine.json');
  writeFileSync(own, JSON.stringify({ agents: { claude: { env: { TOKEN: 'hunter2' } } }, budgetUsd: 5 }));
  const env = environment([], { GLASSBOX_CONFIG: own, GLASSBOX_AGENT: 'claude' });
  const { stdout, status } = await start(['config'], env).ended;
  expect(status).toBe(0);
  expect(stdout).toMatch(/^From the environment\n {2}agent +claude\n\nYour own: .*mine\.json\n/);
  expect(stdout).toMatch(/^ {2}budgetUsd +5$/m);
  expect(stdout).toMatch(/^By default\n {2}permission +ask$/m);
  expect(stdout).toMatch(/^Sessions are kept in \S+\s\(GLASSBOX_STORE\)\.$/m);
  expect(stdout).not.toContain('hunter2');
  writeFileSync(own, '{"colour":"red"}');
  const wrong = await start(['config', '--json'], env).ended;
  expect(wrong.status).toBe(2);
  expect(JSON.parse(wrong.stdout)).toMatchObject({
    schema: 1,
    problems: [expect.stringContaining('colour')],
    ownFile: own,
  });
});
