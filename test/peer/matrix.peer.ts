/** Every real agent through the same scenarios; the run ends with the table of what passed. */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { RunRequest } from '../../src/run/index.js';
import { PEERS, type Peer, type Scenario } from './agents.js';
import type { ModelServer } from './model/http.js';
import { type ModelTurn, type Script, sequence } from './model/turn.js';
import { only, type Play, play } from './play.js';
import { createSandbox, processesOf, type Sandbox } from './sandbox.js';

const SCENARIOS: readonly Scenario[] = [
  'text',
  'tool',
  'failing tool',
  'edit',
  'API error',
  'interrupt',
  'resume',
  'approval',
];
const table = new Map<string, string>();
let model: ModelServer | undefined;
let sandbox: Sandbox | undefined;
const plays: Play[] = [];

afterEach(async () => {
  const ended = plays.splice(0).map(async ({ handle }) => {
    handle.cancel();
    const { open } = await handle.completion;
    return { runId: handle.runId, open };
  });
  const runs = await Promise.all(ended);
  await model?.close();
  sandbox?.remove();
  sandbox = undefined;
  for (const { runId, open } of runs) {
    expect(open.processes, 'processes that could not be ended').toEqual([]);
    expect(processesOf(runId), 'processes left alive').toEqual([]);
  }
});

afterAll(() => {
  const width = Math.max(...PEERS.map(({ agent }) => agent.length));
  const head = `${''.padEnd(width)}  ${SCENARIOS.join('  ')}`;
  const rows = PEERS.map(({ agent }) => {
    const cells = SCENARIOS.map((name) => (table.get(`${agent} ${name}`) ?? 'no').padEnd(name.length));
    return `${agent.padEnd(width)}  ${cells.join('  ')}`;
  });
  console.log(`\n${[head, ...rows].join('\n')}\n`);
});

async function start(
  peer: Peer,
  script: Script,
  request: Partial<RunRequest> = {},
  onEvent?: Parameters<typeof play>[1],
) {
  if (!sandbox) {
    model = await peer.model(script);
    sandbox = createSandbox(peer.env(model));
    peer.setUp?.(sandbox, model);
  }
  const { cwd, env } = sandbox;
  const { agent, program } = peer;
  const base = { agent, prompt: 'please go on', program: program(), cwd, env, permission: 'bypass' } as const;
  const played = play({ ...base, ...peer.request, ...request }, onEvent);
  plays.push(played);
  return { ...played, sandbox };
}

const say = (text: string): ModelTurn => ({ text });

describe.each(PEERS.map((peer) => [peer.agent, peer] as const))('%s', (agent, peer) => {
  /** A scenario that does not exist for an agent says why, in the table and here. */
  const scenario = (name: Scenario, body: () => Promise<void>): void => {
    const reason = peer.without?.[name];
    test(reason === undefined ? name : `${name}: not there, ${reason}`, async () => {
      if (reason === undefined) await body();
      table.set(`${agent} ${name}`, reason === undefined ? 'ok' : '–');
    });
  };

  scenario('text', async () => {
    const { end, events } = await start(peer, sequence(say('Hello from the model on loopback.')));
    expect(await end).toMatchObject({ reason: 'finished', text: 'Hello from the model on loopback.' });
    expect(only(events, 'text-end').map((event) => event.text)).toContain('Hello from the model on loopback.');
    expect(only(events, 'user-message')[0]?.text).toContain('please go on');
  });

  scenario('tool', async () => {
    const { end, events, sandbox } = await start(
      peer,
      sequence(peer.shell('echo seen > made.txt; cat made.txt'), say('done')),
    );
    expect(await end).toMatchObject({ reason: 'finished', text: 'done' });
    expect(existsSync(sandbox.file('made.txt'))).toBe(true);
    const [toolEnd] = only(events, 'tool-end');
    expect(toolEnd).toMatchObject({ status: 'ok' });
    expect(toolEnd?.output).toContain('seen');
    expect(only(events, 'tool-start')[0]).toMatchObject({ kind: 'execute' });
  });

  scenario('failing tool', async () => {
    const { end, events } = await start(peer, sequence(peer.shell('echo oops; exit 3'), say('it failed')));
    expect(await end).toMatchObject({ reason: 'finished', text: 'it failed' });
    expect(only(events, 'tool-end')[0]).toMatchObject({ status: peer.failingShell });
  });

  scenario('edit', async () => {
    const script: Script = ({ n }) =>
      n === 0 ? peer.write(sandbox?.file('note.txt') ?? '', 'one\ntwo\n') : say('written');
    const { end, events, sandbox: place } = await start(peer, script);
    expect(await end).toMatchObject({ reason: 'finished', text: 'written' });
    expect(readFileSync(place.file('note.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(only(events, 'file-change')[0]?.path).toContain('note.txt');
  });

  scenario('API error', async () => {
    const { end } = await start(peer, () => ({ status: 401, message: 'the key is wrong' }));
    const completion = await end;
    expect(completion.reason).toBe('failed');
    expect(completion.error?.message).toBeTruthy();
  });

  scenario('interrupt', async () => {
    const script: Script = () => peer.shell('touch started; sleep 300');
    const { handle, end, until } = await start(peer, script);
    await until('tool-input-end');
    if (!handle.interrupt()) handle.cancel();
    else await until('turn-end').then(() => handle.cancel());
    expect((await end).reason).toBe('cancelled');
  });

  scenario('resume', async () => {
    const script = sequence(say('first'), say('second'));
    const first = await (await start(peer, script)).end;
    expect(first.sessionId).toBeTruthy();
    const second = await (await start(peer, script, { resume: first.sessionId ?? '' })).end;
    expect(second).toMatchObject({ reason: 'finished', text: 'second' });
  });

  scenario('approval', async () => {
    const script = sequence(peer.shell('touch asked.txt'), say('allowed'));
    const { end, events, sandbox } = await start(peer, script, { permission: 'ask' }, (event, handle) => {
      if (event.type === 'approval-request') handle.approve(event.id);
    });
    expect(await end).toMatchObject({ reason: 'finished', text: 'allowed' });
    expect(only(events, 'approval-resolve')[0]).toMatchObject({ decision: 'allow', by: 'person' });
    expect(existsSync(sandbox.file('asked.txt'))).toBe(true);
  });
});
