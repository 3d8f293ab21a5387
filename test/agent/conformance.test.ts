/** The cases for agents themselves: a sound agent passes them all, and each way to break the contract is seen by one. */
import { describe, expect, test } from 'vitest';
import {
  type Agent,
  type AgentConformance,
  BY_SIGNAL,
  createChronicle,
  members,
  NO_CAPABILITIES,
  type Protocol,
  string,
  surest,
  testAgent,
  valued,
} from '../../src/agent.js';

const lines = [{ hello: 's' }, { call: 'c1' }, { returned: 'c1' }, { said: 'Done.' }, { finished: true }];

const sound: Agent = {
  name: 'sound',
  title: 'Sound',
  kind: 'sound',
  program: { names: ['sound'], install: '', searchDirs: [], versionArgs: [], dropEnv: [], reservedFlags: [] },
  capabilities: { ...NO_CAPABILITIES, model: true },
  outputFlags: [],
  detect: surest((line) => ('hello' in members(line) ? 1 : 0)),
  command: ({ prompt = '', model }) => ({
    program: 'sound',
    args: [...valued('--model', model)],
    stdin: { kind: 'text', text: prompt },
    ending: BY_SIGNAL,
  }),
  createProtocol,
};

function createProtocol(): Protocol {
  const chronicle = createChronicle();
  const step = () => ({ events: chronicle.take(), send: [] });
  return {
    start: step,
    receive(value, bytes) {
      const { hello, call, returned, said, finished } = members(value);
      if (hello !== undefined) chronicle.startSession(string(hello));
      else if (call !== undefined) chronicle.startTool(String(call), { name: 'look' });
      else if (returned !== undefined) chronicle.endTool(String(returned), { status: 'ok' });
      else if (said !== undefined) chronicle.endText('text', 'm1', 0, String(said));
      else if (finished !== undefined) chronicle.endTurn({ outcome: 'success' });
      else chronicle.write({ type: 'unknown', wireType: typeof value, bytes });
      return step();
    },
    act: () => 'unsupported',
    end() {
      chronicle.end();
      return step();
    },
    idle: () => !chronicle.inTurn,
  };
}

/** The names of the cases that fail. */
function failing(changes: Partial<Agent>, more: Partial<AgentConformance> = {}): string[] {
  const cases = testAgent({ agent: { ...sound, ...changes }, recordings: [{ name: 'whole', lines }], ...more });
  return cases.flatMap(({ name, run }) => {
    try {
      run();
      return [];
    } catch {
      return [name];
    }
  });
}

/** The sound protocol, with another way to receive or to end. */
const withProtocol = (change: (protocol: Protocol) => Partial<Protocol>): Partial<Agent> => ({
  createProtocol() {
    const protocol = createProtocol();
    return { ...protocol, ...change(protocol) };
  },
});

test('a sound agent passes', () => {
  expect(failing({})).toEqual([]);
  expect(testAgent({ agent: sound, recordings: [{ name: 'whole', lines }] }).length).toBeGreaterThan(15);
});

let chance = 0;

describe('each way to break the contract is seen', () => {
  test.each<[what: string, by: string, changes: Partial<Agent>, more?: Partial<AgentConformance>]>([
    ['no recording', 'there is a recording', {}, { recordings: [] }],
    ['surer than sure', 'is between not at all and certainly sure of any line', { detect: () => 2 }],
    [
      'a detector that throws',
      'is between not at all and certainly sure of any line',
      { detect: ([line]) => (line as { x: number }).x },
    ],
    [
      'a line that is not read',
      'whole: is understood and sound',
      {},
      { recordings: [{ name: 'whole', lines: [...lines, { odd: 1 }] }] },
    ],
    ['what its own check says', 'whole: is understood and sound', {}, { check: () => ['there is no cost'] }],
    [
      'chance in its events',
      'whole: tells the same each time, without a clock or chance',
      withProtocol(({ receive }) => ({
        receive(value, bytes) {
          const { events, send } = receive(value, bytes);
          return { events: events.map((event) => ({ ...event, turn: event.turn + (chance++ % 7) })), send };
        },
      })),
    ],
    [
      'an end that closes nothing',
      'whole: is sound however early it ends',
      withProtocol(() => ({ end: () => ({ events: [], send: [] }) })),
    ],
    [
      'a protocol that throws',
      'whole: is sound with a wrong value in any field',
      withProtocol(({ receive }) => ({
        receive(value, bytes) {
          if (value === null) throw new TypeError('null');
          return receive(value, bytes);
        },
      })),
    ],
    ['another argument vector', 'command: plain', {}, { commands: [{ name: 'plain', request: {}, args: '--other' }] }],
    ['another stdin', 'command: plain', {}, { commands: [{ name: 'plain', request: {}, args: '', stdin: 'lines' }] }],
    [
      'a prompt that may be a flag',
      'command: "--help" stays the value it is',
      {
        command: (request) => ({ ...sound.command(request), args: ['-p', request.prompt ?? ''] }),
      },
    ],
    [
      'a value that is cut at its spaces',
      'command: "-- rm" stays the value it is',
      {
        command: (request) => ({ ...sound.command(request), args: (request.prompt ?? '').split(' ') }),
      },
    ],
    [
      'an end that takes too long',
      'command: ends within five seconds before SIGKILL',
      {
        command: (request) => ({ ...sound.command(request), ending: [{ do: 'close-stdin', waitMs: 5001 }] }),
      },
    ],
    ['arguments that are shared', 'command: never shares a list between calls', { command: shared() }],
  ])('%s', (_, by, changes, more) => {
    expect(failing(changes, more)).toContain(by);
  });

  test('what is said otherwise than the recorded host said it', () => {
    const said = (toAgent: boolean, message: Record<string, unknown>) => ({ toAgent, message });
    const host = { request: () => ({}), action: () => undefined, meaning: (message: unknown) => message };
    const conversation = { name: 'talk', host, messages: [said(false, { hello: 's' }), said(true, { go: 'on' })] };
    expect(failing({}, { conversations: [conversation] })).toEqual([
      'talk: answers as the recorded host, line by line',
    ]);
  });
});

function shared(): Agent['command'] {
  const command = sound.command({ mode: 'one-shot', permission: 'deny', cwd: '/', deltas: true });
  return () => command;
}
