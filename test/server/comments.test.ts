/** Comments on lines of a session's changes, asked of a real server: kept, changed, sent once, and never outside of the projects. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { init, result, type Step, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { type Served, serve } from './serve.js';

const SECRET = `sk-ant-${'api03'}-${'a1B2'.repeat(24)}`;

/** A session whose turn changes a file. */
const script = (project: string, more: readonly Step[]): Step[] => [
  init(),
  text('begun'),
  { hear: 'go on' },
  toolUse('t1', 'Write', { file_path: path.join(project, 'a.txt'), content: 'one\ntwo\n' }),
  { files: { 'a.txt': 'one\ntwo\n' } },
  toolResult('t1', 'ok'),
  ...more,
  result('done'),
  { hearEnd: true },
];

/** `onChanged`: the file is there, and the turn goes on. */
async function changed(
  more: Step[] = [],
  onChanged?: (served: Served, session: string, runId: string) => Promise<void>,
) {
  const project = realpathSync(temporaryDirectory());
  const served = await serve(script(project, more), { projects: [project], keepsFiles: async () => true });
  const { client } = served;
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  for await (const event of client.events(runId)) {
    if (event.type === 'text-end' && event.text === 'begun') {
      await expect.poll(async () => (await client.turns(session))[0]?.isKeptBefore).toBe(true);
      await client.say(session, { text: 'go on' });
    }
    if (event.type === 'text-end' && event.text === 'changed') await onChanged?.(served, session, runId);
  }
  return { ...served, runId, session };
}

const place = { path: 'a.txt', side: 'new', start: 1, end: 2, quote: ['+one', '+two'] } as const;
const request = (said: string) => ({ ...place, quote: [...place.quote], text: said });

test('a comment is kept as it was shown or not at all, without secrets, and can be changed until it is sent', async () => {
  const { client, session } = await changed();
  const kept = await client.comment(session, request(`  The key ${SECRET}\n`));
  expect(kept).toMatchObject({ ...place, turn: 1, state: 'unchanged' });
  expect(kept.text).not.toContain(SECRET);
  const others = [
    { ...request('x'), quote: ['+one', '+three'] },
    { ...request('x'), start: 2 },
    { ...request('x'), side: 'old' as const },
    { ...request('x'), path: 'b.txt' },
    { ...request('x'), path: '../../etc/passwd' },
  ];
  for (const one of others)
    await expect(client.comment(session, one)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('not there as they were shown'),
    });
  await expect(client.comment(session, request('  '))).rejects.toMatchObject({ status: 400 });
  await expect(client.changeComment(session, 'other', { text: 'x' })).rejects.toMatchObject({ status: 404 });
  await client.changeComment(session, kept.id, { text: 'Both.' });
  expect(await client.comments(session)).toMatchObject([{ id: kept.id, text: 'Both.' }]);
  await client.removeComment(session, kept.id);
  expect(await client.comments(session)).toEqual([]);
});

test('an ended session goes on with all of them as one message, once, whoever else sends; then they stay as they are', async () => {
  const { client, session } = await changed();
  const ids = [
    (await client.comment(session, request('First.'))).id,
    (await client.comment(session, request('Second.'))).id,
  ];
  const both = await Promise.allSettled([1, 2].map(() => client.sendComments(session, { comments: ids })));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 409 } });
  const { runs } = await client.session(session);
  expect(runs).toHaveLength(2);
  const runId = runs.at(-1)?.runId ?? '';
  const said: string[] = [];
  await client.cancel(runId);
  for await (const event of client.events(runId)) if (event.type === 'user-message') said.push(event.text);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('1. a.txt, lines 1 to 2\n\n```diff\n+one\n+two\n```\n\nFirst.');
  expect(said[0]).toContain('Second.');
  expect(await client.comments(session)).toMatchObject(ids.map((id) => ({ id, sentAt: expect.any(Number) })));
  const [id = ''] = ids;
  for (const late of [() => client.changeComment(session, id, { text: 'x' }), () => client.removeComment(session, id)])
    await expect(late()).rejects.toMatchObject({ status: 409, message: expect.stringContaining('sent already') });
  await expect(client.sendComments(session, { comments: ids })).rejects.toMatchObject({ status: 409 });
});

test('an agent that works hears them as its next message', async () => {
  const more = [text('changed', 'm8'), { hear: 'Rather three.' }, text('I do.', 'm9')];
  const { client, session } = await changed(more, async (served, id, runId) => {
    const { id: comment } = await served.client.comment(id, request('Rather three.'));
    const sent = await served.client.sendComments(id, { comments: [comment] });
    expect(sent).toEqual({ runId, session: id, count: 1 });
  });
  expect((await client.session(session)).runs).toHaveLength(1);
  expect(await client.comments(session)).toMatchObject([{ sentAt: expect.any(Number), state: 'unchanged' }]);
});

test('who made each part: the call, and who allowed it', async () => {
  const { client, runId, session } = await changed();
  expect(await client.changeMakers(session)).toMatchObject({
    files: [
      {
        path: 'a.txt',
        makers: [[{ maker: { by: 'call', call: { session, runId, turn: 1, toolId: 't1', tool: 'Write' } }, lines: 2 }]],
      },
    ],
  });
});
