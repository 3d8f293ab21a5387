/** What a session changed, asked of a real server: with its lines, and without the secrets in them. */
import { expect, test, vi } from 'vitest';
import { init, result, text } from '../fake-agent/lines.js';
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
      await vi.waitFor(async () => expect((await client.turns(session))[0]?.isKeptBefore).toBe(true));
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
