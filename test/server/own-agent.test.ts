/** A server of somebody who brings an agent of their own: it is listed, started, continued and handed over like the others. */
import { expect, test } from 'vitest';
import type { Agent } from '../../src/agent/index.js';
import { answer } from '../fake-agent/lines.js';
import { hasty } from '../fake-agent/play.js';
import { serve } from './serve.js';

const mine: Agent = {
  ...hasty,
  name: 'mine',
  title: 'Mine',
  program: { ...hasty.program, names: ['mine-of-nobody'], install: { instead: 'Write it.' } },
  openArgs: (sessionId) => ['open', sessionId],
};

test('an agent of one’s own is started by its name', async () => {
  const { client, store } = await serve(answer('Done.'), { ownAgents: [mine] });
  expect(await client.agents()).toMatchObject([
    { name: 'mine', title: 'Mine', installed: false, install: 'Write it.' },
  ]);

  const { runId, session } = await client.start({ agent: 'mine', prompt: 'Go' });
  for await (const event of client.events(runId)) expect(event.agent).toBe('mine');
  expect(await store.session(session)).toMatchObject({ agent: 'mine', outcome: 'finished' });

  const next = await client.say(session, { text: 'Go on' });
  for await (const event of client.events(next.runId)) expect(event.agent).toBe('mine');
  const kept = await store.session(session);
  expect(kept?.runs.map(({ agent }) => agent)).toEqual(['mine', 'mine']);
  expect(await client.openCommand(session)).toMatchObject({ own: `mine-of-nobody open ${kept?.agentSessionId}` });
});

test('nobody else knows it', async () => {
  const { client } = await serve(answer('Done.'));
  await expect(client.start({ agent: 'mine', prompt: 'Go' })).rejects.toMatchObject({ code: 'unknown-agent' });
});
