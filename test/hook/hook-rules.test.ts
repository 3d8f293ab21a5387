/** Which rules answer the questions of sessions that somebody started without glassbox. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hookRules } from '../../src/cli/kept/hook-rules.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const ALLOW = { decision: 'allow', command: 'npm test' };
const ASK = { decision: 'ask', command: 'npm *' };
const DENY = { decision: 'deny', command: 'rm *' };

function createPlace(own: object, project: unknown) {
  const [home, cwd] = [temporaryDirectory(), temporaryDirectory()];
  const file = path.join(home, 'own.json');
  mkdirSync(path.join(cwd, '.git'));
  writeFileSync(file, JSON.stringify(own));
  writeFileSync(path.join(cwd, 'glassbox.json'), JSON.stringify(project));
  return { cwd, home, env: { GLASSBOX_CONFIG: file, HOME: home }, platform: 'linux' as const };
}

test("the user's own file may allow; a project's file may only deny or ask", async () => {
  const own = { rules: [{ decision: 'allow', command: 'ls' }] };
  const rules = await hookRules(createPlace(own, { rules: [ALLOW, ASK, DENY] }));
  expect(rules).toHaveLength(3);
  expect(rules).toEqual(expect.arrayContaining([...own.rules, ASK, DENY].map((rule) => expect.objectContaining(rule))));
  expect(rules?.filter(({ decision }) => decision === 'allow')).toEqual([expect.objectContaining({ command: 'ls' })]);
});

test('a file that makes no sense leaves everything to the agent', async () => {
  expect(await hookRules(createPlace({}, { rules: [{ decision: 'perhaps' }] }))).toBeUndefined();
});
