/** Which sessions worked in a folder, and when: the time of the folder, as attribution wants it. */
import { realpath } from 'node:fs/promises';
import {
  type Call,
  callsOf,
  type Mark,
  type RewindMark,
  type Span,
  spansOf,
  type TurnRef,
  type Work,
} from '../attribution/index.js';
import { findTurns, type KeptMoment, momentsIn, rewindsIn } from '../checkpoint/index.js';
import { initialState, reduce, type SessionState } from '../session/index.js';
import { type RunRecord, readSession, type SessionRecord, type Store } from '../store/index.js';

export type ReadableStore = Pick<Store, 'list' | 'session' | 'read'>;

export interface FolderTime {
  top: string;
  /** `now`: the files as they are. */
  spans(now?: { commit: string; at: number }): Span[];
  /** Of those that were at work in a span, or had begun something that may still have been. */
  callsIn(span: Span): Promise<{ calls: Call[]; commands: string[]; lingering: TurnRef[] }>;
  sessionOf(runId: string): SessionRecord | undefined;
  /** All that a session told; read once. */
  stateOf(session: SessionRecord): Promise<SessionState>;
  /** The number in its session of a turn of a run. */
  turnOf(runId: string, turn: number): number;
}

/** `since`: nothing that ended before is of interest. */
export async function folderTime(store: ReadableStore, top: string, dir?: string, since = 0): Promise<FolderTime> {
  const moments = await momentsIn(top, dir);
  const sessions = await sessionsIn(store, top, moments, since);
  const runs = new Map<string, { session: SessionRecord; run: RunRecord }>();
  const numbers = new Map<string, number>();
  for (const session of sessions) {
    for (const run of session.runs) runs.set(run.runId, { session, run });
    const counts = new Map<string, number>();
    for (const { runId, turn } of await findTurns(session.runs, dir)) {
      const own = (counts.get(runId) ?? 0) + 1;
      counts.set(runId, own);
      numbers.set(`${runId} ${own}`, turn);
    }
  }
  const turnOf = (runId: string, turn: number): number => numbers.get(`${runId} ${turn}`) ?? turn;
  const refOf = (runId: string, turn: number): TurnRef => ({
    session: runs.get(runId)?.session.id ?? 'a session that is not kept',
    runId,
    turn: turn === 0 ? 0 : turnOf(runId, turn),
  });
  const [marks, works] = [marksOf(moments, refOf), worksOf(moments, runs, refOf)];
  const rewinds: RewindMark[] = await rewindsIn(top, dir);
  const states = new Map<string, Promise<SessionState>>();
  const calls = new Map<string, Promise<Call[]>>();

  const stateOf = (session: SessionRecord): Promise<SessionState> => {
    const known = states.get(session.id) ?? reduceSession(store, session);
    states.set(session.id, known);
    return known;
  };
  const callsOfSession = (session: SessionRecord): Promise<Call[]> => {
    const known =
      calls.get(session.id) ??
      Promise.all([stateOf(session), namesOf(top, session)]).then(([state, tops]) =>
        callsOf(state, {
          session: session.id,
          turnOf,
          permissionOf: (runId) => runs.get(runId)?.run.terms?.permission,
          tops,
        }),
      );
    calls.set(session.id, known);
    return known;
  };

  return {
    top,
    spans: (now) => spansOf(marks, works, rewinds, now),
    stateOf,
    turnOf,
    sessionOf: (runId) => runs.get(runId)?.session,
    async callsIn({ begin, end, turns }) {
      const alive = [...runs.values()].filter(({ run }) => run.startedAt <= end && (run.endedAt ?? end) >= begin);
      const all = await Promise.all([...new Set(alive.map(({ session }) => session))].map(callsOfSession));
      const isAtWork = (call: Call) =>
        turns.some(
          ({ runId, turn }) =>
            runId === call.runId && (turn === call.turn || (turn === 0 && call.at >= begin && call.at <= end)),
        );
      const isAlive = (call: Call) => alive.some(({ run }) => run.runId === call.runId);
      const own = all.flat().filter(isAtWork);
      const lingering = all.flat().filter((call) => call.goesOn && isAlive(call) && call.at <= end && !isAtWork(call));
      return {
        calls: own.sort((one, other) => one.at - other.at),
        // A call that tells its edits whole does nothing else.
        commands: [...own, ...lingering].flatMap((call) =>
          MAY_DO_ANYTHING.has(call.kind) ? [call.command ?? call.tool] : [],
        ),
        lingering: lingering.map(({ session, runId, turn }) => ({ session, runId, turn })),
      };
    },
  };
}

const MAY_DO_ANYTHING: ReadonlySet<string> = new Set(['execute', 'other', 'move', 'delete']);

/** Those that worked there or below; and those whose files are kept, by whatever name they knew the folder. */
async function sessionsIn(
  store: ReadableStore,
  top: string,
  moments: readonly KeptMoment[],
  since: number,
): Promise<SessionRecord[]> {
  const found = new Map<string, SessionRecord>();
  let cursor: string | undefined;
  do {
    const page = await store.list({ project: top, limit: 100, since, ...(cursor !== undefined && { cursor }) });
    for (const session of page.items) found.set(session.id, session);
    cursor = page.cursor;
  } while (cursor !== undefined);
  const known = new Set([...found.values()].flatMap((session) => session.runs.map(({ runId }) => runId)));
  const others = new Set(moments.filter(({ at, runId }) => at >= since && !known.has(runId)).map(({ runId }) => runId));
  for (const runId of others) {
    const session = await store.session(runId);
    if (session) found.set(session.id, session);
  }
  return [...found.values()];
}

function marksOf(moments: readonly KeptMoment[], refOf: (runId: string, turn: number) => TurnRef): Mark[] {
  return moments.map(({ at, runId, turn, moment, commit, late, failed }) => ({
    at,
    turn: refOf(runId, turn),
    moment,
    ...(failed === undefined && { commit }),
    ...(late && { isLate: true }),
  }));
}

/** Runs of which no files are kept, and turns whose end nobody kept: they were over when their run was. */
function worksOf(
  moments: readonly KeptMoment[],
  runs: ReadonlyMap<string, { run: RunRecord }>,
  refOf: (runId: string, turn: number) => TurnRef,
): Work[] {
  const kept = new Set(moments.map(({ runId }) => runId));
  const ended = new Set(
    moments.filter(({ moment }) => moment === 'after').map(({ runId, turn }) => `${runId} ${turn}`),
  );
  const works: Work[] = [];
  for (const { run } of runs.values()) {
    const { runId, startedAt, endedAt, updatedAt, owner } = run;
    // What was read from disk has no owner, and was over with its last event.
    const to = endedAt ?? (owner === undefined ? updatedAt : undefined);
    if (!kept.has(runId)) works.push({ turn: refOf(runId, 0), from: startedAt, to });
  }
  for (const { runId, turn, moment, at } of moments) {
    if (moment === 'before' && !ended.has(`${runId} ${turn}`))
      works.push({ turn: refOf(runId, turn), from: at, to: runs.get(runId)?.run.endedAt });
  }
  return works;
}

async function reduceSession(store: ReadableStore, session: SessionRecord): Promise<SessionState> {
  let state = initialState;
  for await (const event of readSession(store, session.runs)) state = reduce(state, event);
  return state;
}

/** By which an agent may name the folder: as it is, and through the links by which it was started there. */
async function namesOf(top: string, { runs }: SessionRecord): Promise<string[]> {
  const names = new Set([top]);
  for (const { cwd } of runs) {
    const real = cwd === undefined ? undefined : await realpath(cwd).catch(() => undefined);
    if (cwd === undefined || real === undefined || real === cwd) continue;
    const below = real.slice(top.length);
    if (real.startsWith(top) && cwd.endsWith(below)) names.add(cwd.slice(0, cwd.length - below.length));
  }
  return [...names];
}
