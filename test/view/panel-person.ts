/** Somebody before the panels, without a terminal: sessions that are made up, keys, and the screen after each of them. */
import { readFileSync } from 'node:fs';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent, DraftOf } from '../../src/event/index.js';
import { initialState, reduce, type SessionState } from '../../src/session/index.js';
import type { ApprovalRecord, SessionRecord } from '../../src/store/index.js';
import {
  type Deed,
  frameRows,
  type Listed,
  NOTHING_SHOWN,
  type PanelsEvent,
  type PanelsState,
  type Size,
  update,
} from '../../src/view/panels/index.js';
import type { Key } from '../../src/view/terminal/key.js';
import { stamped } from './stamped.js';

/** A day at noon. */
export const NOON = 1_790_000_000_000;

export function session(id: string, facts: Partial<SessionRecord> = {}): SessionRecord {
  const run = {
    runId: `run-${id}`,
    session: id,
    agent: 'toy',
    state: facts.state ?? 'running',
    startedAt: NOON - 60_000,
    updatedAt: NOON - 1000,
    lastSeq: 10,
    bytes: 100,
    usage: {},
    turns: 1,
    toolCalls: 2,
  } as SessionRecord['runs'][number];
  return {
    id,
    title: `Task ${id}`,
    agent: 'toy',
    agentSessionId: `theirs-${id}`,
    cwd: '/home/me/src/shop',
    state: 'running',
    startedAt: NOON - 60_000,
    updatedAt: NOON - 1000,
    usage: { inputTokens: 1200, outputTokens: 300, cacheReadTokens: 30_000 },
    spent: { usd: 0.13, scope: 'session', origin: 'reported' },
    turns: 2,
    toolCalls: 5,
    waiting: 0,
    runs: [run],
    ...facts,
  };
}

export function asks(id: string, facts: Partial<DraftOf<'approval-request'>> = {}, at = NOON - 30_000): ApprovalRecord {
  const [request] = stamped([
    {
      type: 'approval-request',
      id: `q-${id}`,
      kind: 'tool',
      toolName: 'Bash',
      toolKind: 'execute',
      command: `rm -rf build-${id}`,
      input: { command: `rm -rf build-${id}` },
      ...facts,
      at,
    },
  ]) as [ApprovalRecord['request']];
  return { runId: `run-${id}`, session: id, request };
}

export function listed(one: SessionRecord, questions: readonly ApprovalRecord[] = []): Listed {
  return { session: { ...one, waiting: questions.length }, questions, canEdit: true };
}

export const waiting = (id: string, facts: Partial<DraftOf<'approval-request'>> = {}, at?: number): Listed =>
  listed(session(id, { state: 'waiting' }), [asks(id, facts, at)]);

export const ended = (id: string, facts: Partial<SessionRecord> = {}): Listed =>
  listed(session(id, { state: 'ended', outcome: 'finished', ...facts }));

/** Events of a real agent. */
export function recorded(name: string): AgentEvent[] {
  const decoder = createDecoder('claude', { now: () => NOON - 20_000 });
  return [...decoder.push(readFileSync(`test/recordings/claude/${name}/stdout.jsonl`)), ...decoder.end()];
}

export const stateAfter = (events: readonly AgentEvent[]): SessionState => events.reduce(reduce, initialState);

export const keyOf = (name: string): Key =>
  /^.$/u.test(name) ? { name: 'text', text: name } : ({ name, text: '' } as Key);

export function atPanels(sessions: readonly Listed[] = [], size: Size = { columns: 80, rows: 24 }) {
  let state: PanelsState = NOTHING_SHOWN;
  let now = NOON;
  let screen = size;
  const deeds: Deed[] = [];
  const moment = () => ({ size: screen, color: false, now });
  const person = {
    deeds,
    state: () => state,
    /** As it is drawn, and seen. */
    rows(): string[] {
      const rows = frameRows(state, moment());
      state = update(state, { type: 'drawn' }, moment()).state;
      return rows;
    },
    text: () => person.rows().join('\n'),
    happens(event: PanelsEvent) {
      const after = update(state, event, moment());
      state = after.state;
      deeds.push(...after.deeds);
      return person;
    },
    lists: (all: readonly Listed[]) => person.happens({ type: 'listed', listed: all }),
    opens: (events: readonly AgentEvent[], from = 0) =>
      person.happens({ type: 'opened', opened: { id: state.cursor ?? '', state: stateAfter(events), from } }),
    /** Each after the picture that the one before made, and after so long that it counts. */
    press(...names: string[]) {
      for (const name of names) person.wait(1000).happens({ type: 'key', key: keyOf(name) });
      person.rows();
      return person;
    },
    /** In one go, faster than any picture. */
    hammer(...names: string[]) {
      for (const name of names) person.happens({ type: 'key', key: keyOf(name) });
      return person;
    },
    types: (text: string) => person.hammer(...text),
    wait(ms: number) {
      person.rows();
      now += ms;
      person.rows();
      return person;
    },
    resize(to: Size) {
      screen = to;
      person.rows();
      return person;
    },
    cursor: () => state.cursor,
  };
  if (sessions.length > 0) person.lists(sessions);
  person.rows();
  return person;
}
