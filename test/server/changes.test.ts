/** What a session changed, asked of a real server: with its lines, and without the secrets in them. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkpointDirectory } from '../../src/checkpoint/index.js';
import { readRecord, writeRecord } from '../../src/checkpoint/record.js';
import { stamp } from '../../src/store/conformance/events.js';
import { init, result, text } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve } from './serve.js';

/** Made here, so that nobody takes it for one. */
const KEY = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEowIBAAKCAQEAabcdefgh', '-----END RSA PRIVATE KEY-----'].join('\n');

test('a secret in a file is in no line that is shown, of the change and of the way back', async () => {
  const script = [
    init(),
    text('begun'),
    { hear: 'go on' },
    { files: { 'key.pem': `before\n${KEY}\nafter\n`, 'long.txt': 'x'.repeat(5000) } },
    result('done'),
    { hearEnd: true },
  ];
  const { client } = await serve(script, { keepsFiles: async () => true });
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  for await (const event of client.events(runId)) {
    if (event.type === 'text-end') {
      await expect.poll(async () => (await client.turns(session))[0]?.isKeptBefore).toBe(true);
      await client.say(session, { text: 'go on' });
    }
    if (event.type === 'turn-end') await client.cancel(runId);
  }
  const { files } = await client.changes(session);
  expect(files.map(({ path }) => path)).toEqual(['key.pem', 'long.txt']);
  const lines = await client.changeLines(session);
  const [shown, long] = lines.files;
  expect(shown?.hunks[0]?.lines).toContain('+after');
  expect(long?.hunks[0]?.lines[0]).toMatch(/^\+x{1999}… \(3001 more characters\)$/);
  const back = await client.rewindHunks(session, 'key.pem', { turn: 0 });
  expect(back).toHaveLength(1);
  for (const told of [lines, back]) expect(JSON.stringify(told)).not.toContain('MIIEowIBAAKCAQEA');
});

test('of a session that nobody kept files of it says so', async () => {
  const { client } = await serve([init(), result('done')]);
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  for await (const _ of client.events(runId));
  const asked = [client.changes(session), client.changeLines(session), client.changes('nothing')];
  const [whole, lines, other] = await Promise.allSettled(asked);
  expect(whole).toMatchObject({
    reason: { status: 404, message: expect.stringContaining('not kept on this machine') },
  });
  expect(lines).toMatchObject({ reason: { status: 404 } });
  expect(other).toMatchObject({ reason: { message: 'There is no such session.' } });
});

test('the files of a session that went on outside of the projects are neither shown nor taken back', async () => {
  const script = [init(), { files: { 'a.txt': 'one' } }, result('done'), { hearEnd: true }];
  const { client, store } = await serve(script, { keepsFiles: async () => true });
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  for await (const event of client.events(runId)) if (event.type === 'turn-end') await client.cancel(runId);
  await expect.poll(async () => (await client.turns(session))[0]?.isKept).toBe(true);
  const kept = await readRecord(checkpointDirectory(), runId);
  if (!kept) throw new Error('no files are kept');
  const id = (await store.session(session))?.agentSessionId ?? '';
  const elsewhere = temporaryDirectory();
  writeFileSync(path.join(elsewhere, 'mine.txt'), 'mine');
  await store.startRun({ runId: 'r-2', agent: 'claude', startedAt: Date.now(), cwd: elsewhere, resumes: id });
  await store.append(stamp({ runId: 'r-2' }, [{ type: 'turn-start' }, { type: 'turn-end', outcome: 'success' }]));
  await store.endRun('r-2');
  await writeRecord(checkpointDirectory(), { ...kept, runId: 'r-2', top: elsewhere });
  expect((await client.turns(session)).map((turn) => turn.runId)).toEqual([runId, 'r-2']);
  const asked = [
    client.changes(session),
    client.changeLines(session),
    client.planRewind(session, { turn: 2 }),
    client.rewindHunks(session, 'mine.txt', { turn: 2 }),
    client.rewind(session, { turn: 2, fingerprint: 'any' }),
    client.undoRewind(session),
  ];
  for (const one of await Promise.allSettled(asked))
    expect(one).toMatchObject({ reason: { status: 403, message: expect.stringContaining('--project') } });
});
