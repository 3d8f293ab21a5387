/** A whole fleet from one command, and nothing of it left: also not when the command itself was killed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bringPostgres } from '../../src/cli/postgres/program.js';
import { createClient } from '../../src/client/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { withCertificates } from '../support/certificates.js';
import { glassbox, start } from './glassbox.js';

// As root Postgres runs as somebody else, who may not enter the folder of the tests.
const env = { TMPDIR: path.dirname(tmpdir()), GLASSBOX_STATE_DIR: temporaryDirectory(), CI: '1' };

beforeAll(() => withCertificates(async () => void (await bringPostgres(console.log))));

async function demo() {
  const started = start(['fleet', 'demo', '--no-open', '--speed', '500'], env);
  let said = '';
  started.child.stdout.on('data', (text: string) => (said += text));
  await started.printed('Ctrl-C ends everything');
  const [, file = ''] = /TOKEN_FILE=(\S+)/.exec(said) ?? [];
  const [, url = ''] = /--hub (\S+)/.exec(said) ?? [];
  return { ...started, file, url, folder: path.dirname(file) };
}

const left = (): string[] => readdirSync(path.join(env.GLASSBOX_STATE_DIR, 'fleet-demo'));

test('glassbox fleet demo gives work to two workers; Ctrl-C ends everything; what a killed one left is ended by the next', async () => {
  const killed = await demo();
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(existsSync(killed.folder)).toBe(true);
  expect(left()).toHaveLength(1);

  const { child, ended, url, file, folder } = await demo();
  expect(existsSync(killed.folder)).toBe(false);
  expect(left()).toHaveLength(1);
  const hub = ['--hub', url, '--project', 'clock', '--label', 'slow', '--format', 'lines'];
  const token = { GLASSBOX_HUB_TOKEN_FILE: file };
  const client = createClient({ url, token: readFileSync(file, 'utf8').trim() });
  await expect.poll(async () => (await client.workers()).map(({ name }) => name).sort()).toEqual(['hare', 'tortoise']);
  const sending = glassbox(['run', 'claude', 'go', ...hub], '', token);
  const answered = new Set<string>();
  await expect
    .poll(async () => {
      const { items } = await client.sessions();
      for (const { runs } of items)
        for (const { runId } of runs)
          await client.approve(runId, 'demo-question').then(
            () => answered.add(runId),
            () => {},
          );
      return answered.size;
    })
    .toBe(4);
  // As with a real agent.
  expect((await client.sessions()).items.map(({ runs }) => runs.length)).toEqual([1, 1, 1, 1]);
  expect((await sending).stdout).toContain('[claude] Complete');
  child.kill('SIGINT');
  const { status, stderr } = await ended;
  expect([status, existsSync(folder), left()], stderr).toEqual([0, false, []]);
});
