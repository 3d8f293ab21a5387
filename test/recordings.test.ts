/**
 * Every recording of a real agent. Those in this repository have their expected events, state and printed text beside them;
 * all others, when `../shared` is there, hold the same invariants.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { violations } from '../src/agent/conformance/invariants.js';
import { AGENTS } from '../src/agent/index.js';
import { agentNamed, createDecoder } from '../src/decode/index.js';
import type { AgentEvent } from '../src/event/index.js';
import {
  activityText,
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
import { conciseLines } from './support/concise.js';
import { differences, oracles } from './support/oracle/index.js';
import { allRecordings, ownRecordings, type Recording, valuesOf } from './support/recordings.js';

/** Set only by `npm run recordings:update`, which names what may be written. */
const updating = new RegExp(process.env.GLASSBOX_UPDATE_RECORDINGS ?? '^$');

/** The day of the recordings, so that what is printed about later times makes sense. */
const now = () => Date.UTC(2026, 10, 16);

const own = ownRecordings();
const all = allRecordings().filter(({ agent }) => agentNamed(agent));

test('S3-18 at least 60 recordings of every version are in the repository', () => {
  const claude = own.filter(({ agent }) => agent === 'claude');
  const versions = claude.map(({ meta }) => meta.version);
  expect(claude.length).toBeGreaterThanOrEqual(60);
  expect([...new Set(versions)]).toEqual(expect.arrayContaining(['1.0.128', '2.0.1', '2.0.77', '2.1.325']));
});

test('every agent has a core of recordings in the repository', () => {
  const without = AGENTS.filter(({ name }) => !own.some(({ agent }) => agent === name)).map(({ name }) => name);
  // Whoever speaks the Agent Client Protocol; it has no stream of its own, and opencode's stands for it.
  expect(without).toEqual(['acp']);
});

/** What was once read wrong, each by a recording that shows it. */
test.each([
  ['a refusal of the host, without the decision in the stream', 'claude/v2.1.225-asks-parallel-mixed'],
  ['a plan that is refused', 'claude/v2.1.225-plan-rejected-then-revised'],
  ['a refusal that interrupts', 'claude/ask-deny-interrupt-go-on'],
  ['a form that is declined', 'claude/elicitation-declined-then-cancelled'],
  ['a call that a rule denies', 'claude/v2.1.100-perm-denied'],
  ['a call that a hook blocks', 'qwen/hook-blocks-tool'],
  ['an id that two calls have', 'claude/same-id-again'],
  ['windows of the account', 'claude/rate-limit-allowed'],
  ['the Kimi of today', 'kimi-code/text-and-shell'],
  ['calls that are printed again', 'kimi-code/tools-mixed'],
  ['the reason of a failed tool', 'gemini/mixed-parallel-fail'],
  ['errors that answer requests of others', 'codex-app-server/error-requests'],
  ['an interrupted turn that had said something', 'codex-app-server/approval-command-cancel'],
  ['separators that are no ends of lines', 'claude/unicode-partial'],
  ['the pi of today', 'pi-0.87.1/retry-429-in-loop'],
  ['recovery after the longest answer', 'cline/length-cut'],
])('the repository shows %s', (_, name) => {
  expect(own.map((recording) => recording.name)).toContain(name);
});

const resultsOf = lastOnly(results);
const eventsOf = lastOnly((recording) => decodeAll(recording, { guard: false }));

describe.each(own)('S0-39 $name', (recording) => {
  test.each(['events.jsonl', 'state.json', 'text.txt', 'verbose.txt'] as const)('gives %s', (file) => {
    const actual = resultsOf(recording)[file];
    const path = join(recording.folder, file);
    if (updating.test(recording.name)) writeFileSync(path, actual);
    expect(existsSync(path), `run: npm run recordings:update -- ${recording.name}`).toBe(true);
    expect(actual).toBe(readFileSync(path, 'utf8'));
  });
});

describe.each(all)('$name', (recording) => {
  test('holds the invariants', () => {
    expect(violations(eventsOf(recording))).toEqual([]);
  });

  test('S0-30 says where each event was seen first', () => {
    expect(eventsOf(recording).filter(({ source }) => source !== 'stream' && source !== 'synthetic')).toEqual([]);
  });

  const oracle = oracles[recording.agent];
  if (!oracle) return;
  test('says what the wire says', () => {
    const facts = oracle(valuesOf(recording.stdout));
    if (facts) expect(differences(facts, eventsOf(recording))).toEqual([]);
  });
});

test('all recordings beside the repository are read', () => {
  if (all.length === own.length)
    console.log('../shared is not there: only the recordings of this repository were read.');
  else expect(all.length).toBeGreaterThan(2 * own.length);
});

/** The tests of a recording follow each other, and share what is made of it; one that is not asked for costs nothing. */
function lastOnly<Made>(make: (recording: Recording) => Made): (recording: Recording) => Made {
  let last: { recording: Recording; made: Made } | undefined;
  return (recording) => {
    if (last?.recording !== recording) last = { recording, made: make(recording) };
    return last.made;
  };
}

function results(recording: Recording) {
  const events = decodeAll(recording);
  return {
    'events.jsonl': conciseLines(events),
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
    activity: activityOf(state),
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

function activityOf(state: SessionState) {
  const activity = selectCurrentActivity(state);
  return { kind: activity.kind, text: activityText(activity), since: activity.since };
}

function printed(events: AgentEvent[], options: { verbose?: boolean }): string {
  const view = createTextView(options);
  return [...events.flatMap((event) => view.push(event)), ...view.end()].map((line) => `${line}\n`).join('');
}

interface Options {
  guard?: false;
}

function decodeAll(recording: Recording, options: Options = {}): AgentEvent[] {
  const decoder = createDecoder(recording.agent, { runId: 'run', now, ...options });
  return [...decoder.push(recording.stdout), ...decoder.end()];
}

function stateOf(events: AgentEvent[]) {
  return events.reduce(reduce, initialState);
}
