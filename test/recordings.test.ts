/**
 * Every recording of a real agent. Those in this repository have their expected events, state and printed text beside them;
 * all others, when `../shared/recordings` is there, hold the same invariants.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../src/agent/index.js';
import { agentNamed, createDecoder } from '../src/decode/index.js';
import type { AgentEvent } from '../src/event/index.js';
import {
  initialState,
  reduce,
  type SessionState,
  selectChangedFiles,
  selectConversation,
  selectCost,
  selectCurrentActivity,
  selectHealth,
  selectOpenWork,
  selectRun,
  selectTodos,
  selectUsage,
} from '../src/session/index.js';
import { createTextView } from '../src/view/text/index.js';
import { anyChunking, everySplit } from './support/chunking.js';
import { violations } from './support/invariants.js';
import { oracles } from './support/oracle.js';
import { ownRecordings, type Recording, sharedRecordings } from './support/recordings.js';

/** Set only by `npm run recordings:update`, which names what may be written. */
const updating = new RegExp(process.env.GLASSBOX_UPDATE_RECORDINGS ?? '^$');

/** Up to this size every split point is tried too, not only random ones. */
const smallBytes = 3_000;

/** The day of the recordings, so that what is printed about later times makes sense. */
const now = () => Date.UTC(2026, 10, 16);

const own = ownRecordings();
const others = sharedRecordings().filter(({ agent }) => agentNamed(agent));

test('S3-18 at least 60 recordings of every version are in the repository', () => {
  const claude = own.filter(({ agent }) => agent === 'claude');
  const versions = claude.map(({ folder }) => JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')).version);
  expect(claude.length).toBeGreaterThanOrEqual(60);
  expect([...new Set(versions)]).toEqual(expect.arrayContaining(['1.0.128', '2.0.1', '2.0.77', '2.1.325']));
});

test('every agent has a core of recordings in the repository', () => {
  const without = AGENTS.filter(({ name }) => !own.some(({ agent }) => agent === name)).map(({ name }) => name);
  // Whoever speaks the Agent Client Protocol; it has no stream of its own, and opencode's stands for it.
  expect(without).toEqual(['acp']);
});

describe.each(own)('S0-39 $name', (recording) => {
  test.each(['events.jsonl', 'state.json', 'text.txt', 'verbose.txt'] as const)('gives %s', (file) => {
    const actual = results(recording)[file];
    const path = join(recording.folder, file);
    if (updating.test(recording.name)) writeFileSync(path, actual);
    expect(existsSync(path), `run: npm run recordings:update -- ${recording.name}`).toBe(true);
    expect(actual).toBe(readFileSync(path, 'utf8'));
  });

  test('S1-37, S3-03 gives the same events however it is cut', () => {
    const same = (options: Options) => {
      const whole = serialise(decodeAll(recording, [recording.stdout], options));
      return (pieces: Uint8Array[]) => serialise(decodeAll(recording, pieces, options)) === whole;
    };
    fc.assert(fc.property(anyChunking(recording.stdout), same({})), { numRuns: 20 });
    if (recording.stdout.length > smallBytes) return;
    expect(everySplit(recording.stdout).every(same({ guard: false }))).toBe(true);
  });

  test('gives a sound stream and a state however early it ends', () => {
    for (const length of prefixLengths(recording.stdout)) {
      const events = decodeAll(recording, [recording.stdout.subarray(0, length)]);
      expect(violations(events), `after ${length} bytes`).toEqual([]);
      expect(selectOpenWork(stateOf(events)).tools).toEqual([]);
    }
  });
});

describe.each([...own, ...others])('$name', (recording) => {
  const events = decodeAll(recording, [recording.stdout], { guard: false });

  test('holds the invariants', () => {
    expect(violations(events)).toEqual([]);
  });

  test('S0-30 says where each event was seen first', () => {
    expect(events.filter(({ source }) => source !== 'stream' && source !== 'synthetic')).toEqual([]);
  });

  const oracle = oracles[recording.agent];
  if (!oracle) return;
  test('says what the wire says', () => {
    const facts = oracle(linesOf(recording.stdout));
    if (!facts) return;
    const ends = events.filter((event) => event.type === 'turn-end').filter(({ source }) => source !== 'synthetic');
    const said = ends.map(({ text, cost }) => ({
      ...(text !== undefined && { text }),
      ...(cost && cost.origin !== 'computed' && { usd: cost.usd }),
    }));
    const gone = events.filter((event) => event.type === 'message-retract');
    const isGone = (message: string, at: number) =>
      gone.some(({ messageId, index }) => messageId === message && (index ?? at) === at);
    const texts = events
      .filter((event) => event.type === 'text-end')
      .filter(({ text, partial, messageId, index }) => text !== '' && !partial && !isGone(messageId, index))
      .map(({ text }) => text);
    const tools = events.filter((event) => event.type === 'tool-start').map(({ id }) => id);
    const outputs = events.filter((event) => event.type === 'tool-end').map(({ id, output }) => [id, output]);
    if (!facts.onlyLast) expect(said).toEqual(facts.turns);
    else if (facts.turns.length > 0) expect(said.at(-1)).toEqual(facts.turns.at(-1));
    expect(texts).toEqual(facts.texts);
    expect(tools).toEqual(expect.arrayContaining(facts.toolIds));
    expect(Object.fromEntries(outputs)).toMatchObject(onlyOf(facts.outputs, tools));
  });
});

test('all recordings beside the repository are read', () => {
  if (others.length === 0)
    console.log('../shared/recordings is not there: only the recordings of this repository were read.');
  else expect(others.length).toBeGreaterThan(own.length);
});

/** Without what belongs to calls that have no card. */
function onlyOf(outputs: Record<string, string>, ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(outputs).filter(([id]) => ids.includes(id)));
}

function results(recording: Recording) {
  const events = decodeAll(recording, [recording.stdout]);
  return {
    'events.jsonl': events.map((event, index) => `${JSON.stringify(concise(event, events[index - 1]))}\n`).join(''),
    'state.json': answers(stateOf(events)),
    'text.txt': printed(events, {}),
    'verbose.txt': printed(events, { verbose: true }),
  };
}

/** The questions that views ask, one answer a line; how the state keeps them is its own business. */
function answers(state: SessionState): string {
  const { sessionId, facts } = selectRun(state) ?? {};
  const single = {
    health: selectHealth(state),
    activity: selectCurrentActivity(state),
    cost: selectCost(state),
    usage: selectUsage(state),
    open: selectOpenWork(state),
    files: selectChangedFiles(state),
    todos: selectTodos(state),
    sessionId,
    facts,
  };
  const rows = selectConversation(state).map((row) => `  ${JSON.stringify(row)}`);
  const lines = Object.entries(single).map(([name, answer]) => ` "${name}": ${JSON.stringify(answer ?? null)},`);
  return `{\n${lines.join('\n')}\n "conversation": [\n${rows.join(',\n')}\n ]\n}\n`;
}

function printed(events: AgentEvent[], options: { verbose?: boolean }): string {
  const view = createTextView(options);
  return [...events.flatMap((event) => view.push(event)), ...view.end()].map((line) => `${line}\n`).join('');
}

interface Options {
  guard?: false;
}

function decodeAll(recording: Recording, pieces: Uint8Array[], options: Options = {}): AgentEvent[] {
  const decoder = createDecoder(recording.agent, { runId: 'run', now, ...options });
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

function stateOf(events: AgentEvent[]) {
  return events.reduce(reduce, initialState);
}

/** The end of each line, and some places in the middle of one. */
function prefixLengths(bytes: Uint8Array): number[] {
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a).map((at) => at + 1);
  const stride = Math.max(1, Math.ceil(ends.length / 40));
  const chosen = ends.filter((_, index) => index % stride === 0);
  return [0, ...chosen, ...chosen.map((end) => Math.max(0, end - 7)), Math.floor(bytes.length / 2)];
}

/** Without what is the same in every event, what the line number says, and what the line before says already. */
function concise({ at: _at, runId: _runId, agent: _agent, seq: _seq, ...rest }: AgentEvent, before?: AgentEvent) {
  const { source, sessionId, ...own } = rest;
  return {
    ...own,
    ...(sessionId !== before?.sessionId && { sessionId }),
    ...(source !== 'stream' && { source }),
  };
}

function serialise(events: AgentEvent[]): string {
  return events.map((event) => JSON.stringify(event)).join('\n');
}

function linesOf(bytes: Uint8Array): unknown[] {
  return new TextDecoder()
    .decode(bytes)
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}
