/** Before and at the start: what there is to choose from, files of allowed projects, a work tree that the session goes on in. */
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type AgentEvent, createClient } from '../../src/client/index.js';
import { createProjectFiles, nearest } from '../../src/server/project-files.js';
import { makeWorktree } from '../../src/worktree/index.js';
import { git, makeRepository, write } from '../checkpoint/repository.js';
import { answer, init, result, say, text } from '../fake-agent/lines.js';
import { PICTURE } from '../fake-agent/picture.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve } from './serve.js';

test('models and commands are those that the agent told before, here before elsewhere', async () => {
  const project = makeRepository();
  const listing = { models: [{ value: 'opus', displayName: 'Opus' }, { value: 'haiku' }, { odd: 1 }] };
  const script = [
    say({ type: 'control_response', response: { subtype: 'success', request_id: 'x', response: listing } }),
    init({ model: 'm-1', slash_commands: ['review', 'compact'] }),
    text('Hi.'),
    result('Hi.'),
  ];
  const { client, store } = await serve(script, { projects: [project] });
  const none = { models: [], listed: false, commands: [], worktree: true };
  expect(await client.startChoices({ agent: 'claude' })).toEqual(none);
  const { runId } = await client.start({ agent: 'claude', prompt: 'Go' });
  for await (const _ of client.events(runId));
  expect((await store.session(runId))?.state).toBe('ended');
  const known = await client.startChoices({ agent: 'claude', cwd: project });
  expect(known).toMatchObject({ commands: ['review', 'compact'], worktree: true, listed: true });
  expect(known.models.slice(0, 2)).toEqual(['opus', 'haiku']);
  expect(await client.startChoices({ agent: 'codex' })).toEqual(none);
});

test('files are those of allowed projects, without what git ignores', async () => {
  const project = makeRepository({ '.gitignore': 'left/\n', 'src/run.ts': '', 'src/ru n.md': '', 'left/run.ts': '' });
  write(project, { 'new/run-later.ts': '' });
  const bare = temporaryDirectory();
  write(bare, { 'a/run.txt': '', 'node_modules/run.txt': '' });
  const { client, server } = await serve([], {
    projects: [project, bare],
    tokens: [{ name: 'reader', token: 'r', scopes: ['view'] }],
  });
  expect(await client.findFiles({ text: 'run', cwd: project })).toEqual([
    'src/run.ts',
    'new/run-later.ts',
    'src/ru n.md',
  ]);
  expect(await client.findFiles({ text: 'RUN.T', cwd: bare })).toEqual(['a/run.txt']);
  expect(await client.findFiles({ text: 'srn' })).toEqual(['src/run.ts', 'src/ru n.md']);
  expect(await client.findFiles({ text: 'nothing like it' })).toEqual([]);
  await expect(client.findFiles({ text: '', cwd: '/' })).rejects.toMatchObject({ status: 403 });
  await expect(client.startChoices({ agent: 'claude', cwd: '/' })).rejects.toMatchObject({ status: 403 });
  const reader = createClient({ url: server.url, token: 'r' });
  await expect(reader.findFiles({ text: 'run' })).rejects.toMatchObject({ status: 403 });
});

test('what is attached is taken by its content and an id, by who may run agents, and goes with the session', async () => {
  const { client, server, store, send, project } = await serve([init(), text('Seen.'), result('Seen.')], {
    tokens: [{ name: 'reader', token: 'r', scopes: ['view'] }],
  });
  const data = PICTURE.toString('base64');
  const kept = await client.attach({ name: '/etc/\u202ea.png', data });
  expect(kept).toEqual({ id: kept.id, name: 'a.png', mimeType: 'image/png', bytes: PICTURE.length });
  const reader = createClient({ url: server.url, token: 'r' });
  await expect(reader.attach({ name: 'a.png', data })).rejects.toMatchObject({ status: 403 });
  const words = Buffer.from('words').toString('base64');
  await expect(client.attach({ name: 'a.png', data: words })).rejects.toMatchObject({ status: 400 });
  const large = { name: 'a.png', data: 'A'.repeat(12 * 1024 * 1024) };
  await expect(client.attach(large)).rejects.toMatchObject({ status: 413 });
  for (const attachments of [['../../../etc/passwd'], [`${project}/a.png`], Array(11).fill(kept.id)]) {
    const body = JSON.stringify({ agent: 'claude', prompt: 'Go', attachments });
    const headers = { 'content-type': 'application/json' };
    expect((await send('/api/runs', { method: 'POST', body, headers })).status).toBe(400);
  }
  const gone = { agent: 'claude', prompt: 'Go', attachments: ['0'.repeat(32)] };
  await expect(client.start(gone)).rejects.toMatchObject({ status: 404 });
  await expect(client.start({ ...gone, agent: 'gemini', attachments: [kept.id] })).rejects.toMatchObject({
    status: 400,
  });

  const { runId, session } = await client.start({ agent: 'claude', prompt: 'What is it?', attachments: [kept.id] });
  const events: AgentEvent[] = [];
  for await (const event of client.events(runId)) events.push(event);
  const told = [{ kind: 'image', name: 'a.png', mimeType: 'image/png', bytes: PICTURE.length }];
  expect(events.find(({ type }) => type === 'user-message')).toMatchObject({ text: 'What is it?', attachments: told });
  expect(JSON.stringify(events)).not.toContain(data.slice(0, 40));
  expect((await client.export(session, 'markdown')).text).toContain('Attached: a.png · image/png · 1 KB');
  const runs = path.join(process.env.GLASSBOX_STATE_DIR ?? '', 'attachments', 'runs');
  expect(readdirSync(runs)).toHaveLength(1);
  await client.remove((await store.session(session))?.id ?? '');
  expect(readdirSync(runs)).toEqual([]);
});

test('the nearest: by its name, then by its path, then by letters in their order, the shorter first', async () => {
  const names = ['lib/deep/cost.ts', 'cost/a.ts', 'my-cost.ts', 'cost.ts', 'c/o/s/t.ts', 'other.ts'];
  expect(nearest(names, 'cost')).toEqual(['cost.ts', 'lib/deep/cost.ts', 'my-cost.ts', 'cost/a.ts', 'c/o/s/t.ts']);
  expect(nearest(names, '')).toHaveLength(6);
  expect(await createProjectFiles().find('/nonexistent', 'x')).toEqual([]);
});

test('a run in a work tree of its own goes on there, and one in which nothing changed is gone', async () => {
  const project = makeRepository();
  const { client, store } = await serve([init(), text('Hi.'), result('Hi.')], {
    projects: [project],
  });
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'Go', worktree: true });
  const { cwd = '' } = (await store.session(session)) ?? {};
  expect(cwd).not.toContain(project);
  for await (const _ of client.events(runId));
  expect(existsSync(cwd)).toBe(false);
  expect(git(project, 'branch', '--list', 'glassbox/*').trim()).toBe('');
  const next = await client.say(session, { text: 'Go on' });
  for await (const _ of client.events(next.runId));
  expect((await store.session(session))?.runs.map((run) => run.cwd)).toEqual([cwd, cwd]);
  expect(existsSync(cwd)).toBe(false);
  await expect(client.start({ agent: 'claude', prompt: 'Go', cwd: path.dirname(cwd) })).rejects.toMatchObject({
    status: 403,
  });
});

test('what is refused leaves no work tree behind, and where there is no repository it is said', async () => {
  const project = makeRepository();
  const bare = temporaryDirectory();
  const { client } = await serve(answer('Hi.'), { projects: [project, bare] });
  await expect(client.start({ agent: 'claude', prompt: 'Go', model: '-x', worktree: true })).rejects.toMatchObject({
    status: 400,
  });
  await expect.poll(() => git(project, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(git(project, 'branch', '--list', 'glassbox/*').trim()).toBe('');
  await expect(client.start({ agent: 'claude', prompt: 'Go', cwd: bare, worktree: true })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('is in no git repository'),
  });
});

test('a link out of a work tree leads to no place where something may be started', async () => {
  const project = makeRepository();
  const { client } = await serve([], { projects: [project] });
  const { record } = await makeWorktree({ cwd: project, copy: [] });
  const elsewhere = temporaryDirectory();
  symlinkSync(elsewhere, path.join(record.path, 'out'));
  await expect(client.findFiles({ text: '', cwd: record.path })).resolves.toBeDefined();
  for (const cwd of [path.join(record.path, 'out'), path.join(record.path, 'out', 'deeper')])
    await expect(client.findFiles({ text: '', cwd })).rejects.toMatchObject({ status: 403 });
});
