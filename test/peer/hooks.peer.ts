/** The real Claude Code, started without glassbox: its questions come to the page of `glassbox serve` by hooks, and are answered there once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type Client, createClient } from '../../src/client/index.js';
import type { AgentEvent, EventOf } from '../../src/event/index.js';
import { glassbox, start } from '../cli/glassbox.js';
import { comeIn } from '../server/as-browser.js';
import { claude } from './agent/claude.js';
import { type ModelTurn, sequence } from './model/turn.js';
import { callTool } from './peer.js';
import { createStage, type Stage } from './stage.js';
import { type OpenTerminal, openTerminal } from './terminal.js';

const PATIENCE = { timeout: 100_000, interval: 100 };
const QUESTION = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'Postgres', description: 'Solid' },
    { label: 'SQLite', description: 'One file' },
  ],
  multiSelect: false,
};

test('headless: allowed, denied with a reason, changed; without anybody it refuses at once', async () => {
  await using stage = await createStage(claude, () =>
    sequence(...['a', 'b', 'c'].map((name) => claude.shell(`touch ${name}.txt`)), { text: 'Done.' }),
  );
  const place = await install(stage);
  await using serving = await serve(stage, place);
  const first = headless(stage);
  await serving.decide((client, runId, { id }) => client.approve(runId, id));
  await serving.decide((client, runId, { id }) => client.deny(runId, id, { message: 'b is taken' }));
  await serving.decide((client, runId, { id }) =>
    client.approve(runId, id, { changes: { set: { '/command': 'touch d.txt' } } }),
  );
  expect(await first).toMatchObject({ status: 0 });
  expect(['a', 'b', 'c', 'd'].filter((name) => existsSync(stage.sandbox.file(`${name}.txt`)))).toEqual(['a', 'd']);
  expect(JSON.stringify(stage.model.calls).includes('b is taken')).toBe(true);
  expect(await serving.resolutions()).toMatchObject([
    { decision: 'allow', by: 'person', via: 'page' },
    { decision: 'deny', by: 'person', message: 'b is taken' },
    { decision: 'allow', by: 'person', changes: { set: { '/command': 'touch d.txt' } } },
  ]);
  await serving.stop('SIGKILL');
  // The socket of the one that was killed is still there, and nobody behind it.
  expect(existsSync(path.join(place.GLASSBOX_STATE_DIR, 'hooks', 'hook.sock'))).toBe(true);
  const { status, stdout } = await headless(stage);
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'Done.\n' });
  expect(newestTranscript(stage)).toContain('Done.');
  expect(newestTranscript(stage)).not.toMatch(/"hook_\w+"/);
});

test('with --deny: a rule of the user holds before a call that is not asked about, and not while glassbox is down', async () => {
  await using stage = await createStage(claude, () =>
    sequence(
      ...[claude.shell('touch never.txt'), claude.shell('touch other.txt'), { text: 'Done.' }],
      // The second time, when nobody listens.
      ...[claude.shell('touch never.txt'), { text: 'Done.' }],
    ),
  );
  const place = await install(stage, '--deny');
  writeFileSync(place.GLASSBOX_CONFIG, JSON.stringify({ rules: [{ decision: 'deny', command: 'touch never*' }] }));
  const has = () => ['never', 'other'].filter((name) => existsSync(stage.sandbox.file(`${name}.txt`)));
  await using serving = await serve(stage, place);
  expect(await headless(stage, '--permission-mode', 'bypassPermissions')).toMatchObject({ status: 0 });
  expect(has()).toEqual(['other']);
  expect(JSON.stringify(stage.model.calls)).toContain('Denied by the rule: deny command=touch never*');
  await serving.stop('SIGKILL');
  expect(await headless(stage, '--permission-mode', 'bypassPermissions')).toMatchObject({ status: 0 });
  expect(has()).toEqual(['never', 'other']);
});

test('in a terminal: answered here, by the person first, and as always when glassbox is killed', async () => {
  const turns: ModelTurn[] = [
    callTool('AskUserQuestion', { questions: [QUESTION] }),
    claude.shell('touch first.txt'),
    claude.shell('touch never.txt'),
    claude.shell('touch second.txt'),
    claude.shell('touch third.txt'),
    { text: 'All of it is done.' },
  ];
  await using stage = await createStage(claude, () => sequence(...turns));
  claude.introduce?.(stage.sandbox);
  const place = await install(stage);
  await using serving = await serve(stage, place);
  await using terminal = openTerminal(stage, ['--permission-mode', 'default', 'please go on']);
  const has = (file: string) => existsSync(stage.sandbox.file(file));
  await serving.decide((client, runId, { id }) =>
    client.answer(runId, id, { answers: { 'Which database?': 'SQLite' } }),
  );
  const press = (key: string, file: string, isDone: () => boolean) => pressAt(terminal, key, file, isDone);
  const agree = (file: string) => press('\r', file, () => has(file));
  // The person is first: the card goes.
  await serving.asked('touch first.txt');
  await agree('first.txt');
  await serving.gone();
  // The person says no.
  await serving.asked('touch never.txt');
  await press('\u001b', 'never.txt', () => terminal.read().includes('Interrupted'));
  await serving.gone();
  terminal.type('go on');
  await expect.poll(terminal.read, PATIENCE).toMatch(/❯\sgo on/);
  terminal.type('\r');
  // Killed while it is asked: the dialog is still there.
  await serving.asked('touch second.txt');
  await serving.stop('SIGKILL');
  await agree('second.txt');
  // Killed before: the agent asks as always.
  await agree('third.txt');
  await expect.poll(terminal.look, PATIENCE).toContain('All of it is done.');
  expect(terminal.read()).not.toMatch(/hook error|error occurred/i);
});

test('in a terminal: killed or suspended at any moment of a question, the person is asked as always', async () => {
  const files = [...MOMENTS.map(({ name }) => `${name}.txt`), 'suspended.txt'];
  await using stage = await createStage(claude, () =>
    sequence(...files.map((file) => claude.shell(`touch ${file}`)), { text: 'All of it is done.' }),
  );
  claude.introduce?.(stage.sandbox);
  const place = await install(stage);
  let serving = await serve(stage, place);
  await using terminal = openTerminal(stage, ['--permission-mode', 'default', 'please go on']);
  for (const [index, { name, come }] of MOMENTS.entries()) {
    const isGiven = () => stage.model.calls.length > index;
    await come(serving, isGiven);
    const isDone = () => existsSync(stage.sandbox.file(`${name}.txt`));
    // The next one listens before the person agrees, because then the next question comes.
    await serving.stop('SIGKILL');
    serving = await serve(stage, place);
    await pressAt(terminal, '\r', `${name}.txt`, isDone);
  }
  await serving.asked('touch suspended.txt');
  serving.suspend();
  await pressAt(terminal, '\r', 'suspended.txt', () => existsSync(stage.sandbox.file('suspended.txt')));
  await expect.poll(terminal.look, PATIENCE).toContain('All of it is done.');
  expect(terminal.read()).not.toMatch(/hook error|error occurred/i);
  expect(newestTranscript(stage)).not.toMatch(/"hook_\w*error\w*"/);
  await serving.stop('SIGKILL');
});

type Serving = Awaited<ReturnType<typeof serve>>;

/** Until when glassbox is there. */
const MOMENTS: { name: string; come(serving: Serving, isGiven: () => boolean): Promise<void> }[] = [
  // Some of its hooks were told, others find nobody.
  {
    name: 'called',
    come: async (_, isGiven) => void (await expect.poll(isGiven, { ...PATIENCE, interval: 5 }).toBe(true)),
  },
  { name: 'asked', come: (serving) => serving.asked('touch asked.txt') },
  {
    name: 'answering',
    come: (serving) =>
      serving.decide(async (client, runId, { id }) => {
        void client.approve(runId, id).catch(() => {});
        await serving.stop('SIGKILL');
      }, 'touch answering.txt'),
  },
];

/** A key that is pressed while the screen is drawn anew may be lost: it is pressed again while the dialog is there. */
async function pressAt(terminal: OpenTerminal, key: string, file: string, isDone: () => boolean): Promise<void> {
  const isShown = () => new RegExp(`touch ${file}[\\s\\S]*❯ 1\\. Yes`).test(terminal.read());
  const look = () => {
    if (!isDone() && isShown()) terminal.type(key);
    return isDone();
  };
  await expect.poll(look, { ...PATIENCE, interval: 2000 }).toBe(true);
}

type Place = Record<'HOME' | 'GLASSBOX_STATE_DIR' | 'GLASSBOX_STORE' | 'GLASSBOX_CONFIG', string>;

async function install({ sandbox }: Stage, ...options: string[]): Promise<Place> {
  const place = {
    HOME: sandbox.home,
    GLASSBOX_STATE_DIR: path.join(sandbox.folder, 's'),
    GLASSBOX_STORE: path.join(sandbox.folder, 'store.db'),
    GLASSBOX_CONFIG: path.join(sandbox.folder, 'none.json'),
    CLAUDE_CONFIG_DIR: undefined,
  };
  mkdirSync(path.join(sandbox.home, '.claude'), { recursive: true });
  expect(await glassbox(['hooks', 'install', '--yes', ...options], '', place)).toMatchObject({ status: 0 });
  return place;
}

/** The page of a person who looks, as far as the server can tell. */
async function serve({ sandbox }: Stage, place: Place) {
  const { child, printed, ended } = start(['serve', '--port=0', '--no-open', '--project', sandbox.cwd], place);
  let output = '';
  child.stdout.on('data', (piece: string) => {
    output += piece;
  });
  await printed('\n\n');
  await printed('/#login=');
  const link = /http:\S+/.exec(output)?.[0] ?? '';
  const browser = await comeIn(new URL(link).origin, link);
  const client = createClient({ fetch: (target, init) => browser.fetch(target, init) });
  const stop = new AbortController();
  const open = new Map<string, { runId: string; request: EventOf<'approval-request'> }>();
  const runs = new Set<string>();
  const done = new Set<string>();
  let isReady = false;
  const watching = (async () => {
    for await (const message of client.watchSessions({ signal: stop.signal })) {
      if (message.type === 'presence') continue;
      const { approvals, sessions } = message;
      for (const { runs: some } of sessions) for (const { runId } of some) runs.add(runId);
      const changed = new Set(sessions.map(({ id }) => id));
      for (const [id, { runId }] of open) if ([...changed].length > 0 && runs.has(runId)) open.delete(id);
      for (const { runId, request } of approvals) open.set(request.id, { runId, request });
      isReady = true;
    }
  })().catch(() => {});
  await expect.poll(() => isReady, PATIENCE).toBe(true);
  /** The next one, or the next with this command: one that a glassbox left behind may be there for a moment. */
  const next = async (command?: string) => {
    const wanted = () =>
      [...open].find(([id, { request }]) => !done.has(id) && (command === undefined || request.command === command));
    await expect.poll(wanted, PATIENCE).toBeDefined();
    const [id = '', asked] = wanted() ?? [];
    done.add(id);
    return asked as { runId: string; request: EventOf<'approval-request'> };
  };
  return {
    async decide(
      act: (client: Client, runId: string, request: EventOf<'approval-request'>) => Promise<void>,
      command?: string,
    ) {
      const { runId, request } = await next(command);
      await act(client, runId, request);
    },
    async asked(command: string) {
      await next(command);
    },
    /** The last one that was asked about, whatever is asked since. */
    gone: () => expect.poll(() => open.has([...done].at(-1) ?? ''), PATIENCE).toBe(false),
    async resolutions(): Promise<AgentEvent[]> {
      const [runId = ''] = runs;
      const events: AgentEvent[] = [];
      const enough = new AbortController();
      for await (const event of client.events(runId, { signal: enough.signal })) {
        if (event.type === 'approval-resolve') events.push(event);
        if (events.length === 3) enough.abort();
      }
      return events;
    },
    suspend: () => void child.kill('SIGSTOP'),
    stop: end,
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };

  async function end(signal: NodeJS.Signals): Promise<void> {
    stop.abort();
    child.kill(signal);
    await Promise.all([ended, watching]);
  }
}

function newestTranscript({ sandbox }: Stage): string {
  const folder = path.join(sandbox.home, '.claude', 'projects');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  return readFileSync(files[0] ?? '', 'utf8');
}

/** As a script would start it, with nobody at its terminal. */
async function headless({ program, env, sandbox }: Stage, ...options: string[]) {
  const child = spawn(program, ['-p', 'please go on', ...options], {
    cwd: sandbox.cwd,
    env: { ...process.env, ...env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { stdout, status };
}
