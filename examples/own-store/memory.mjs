// What the store keeps, in the memory of one process: runs with their events, and the sessions that they make up.
import {
  addEvent,
  balanceOf,
  costOf,
  createSummary,
  hasSpent,
  isBeginning,
  openingOf,
  sessionRecord,
  shortId,
  usageOf,
} from 'glassbox/store';

export const createMemory = () => ({ runs: new Map(), sessions: [], listeners: new Set(), made: 0 });

/** Everybody who listens hears which run changed. */
export function tellChange(memory, run) {
  for (const hear of memory.listeners) hear(run);
}

export function createRun(memory, start) {
  const before = start.resumes === undefined ? undefined : latestRunOf(memory, start.resumes, start);
  const joins = before && !start.fork;
  const run = {
    no: ++memory.made,
    start,
    session: joins ? before.session : createSession(memory, start.runId, before?.session),
    resumedFrom: before,
    /** The agent's ids of the conversation. */
    agentSessions: new Set(start.resumes !== undefined && !start.fork ? [start.resumes] : []),
    /** The store that owns it, as `owner` tells it; the epoch counts the claims. */
    holder: undefined,
    owner: undefined,
    epoch: 0,
    endedAt: undefined,
    isInterrupted: false,
    sourceState: undefined,
    onlyFigures: undefined,
    told: [],
    ...nothingKept(),
  };
  memory.runs.set(start.runId, run);
  return run;
}

/** A run without events. `charges`, `calls` and `causes` are what was spent, by model, by tool and what for. */
export const nothingKept = () => ({
  events: [],
  summary: createSummary(),
  approvals: new Map(),
  charges: [],
  calls: [],
  causes: [],
});

function createSession(memory, runId, forkedFrom) {
  const id = shortId(runId, (taken) => memory.sessions.some((session) => session.id === taken));
  const session = { no: ++memory.made, id, forkedFrom, mergedInto: undefined };
  memory.sessions.push(session);
  return session;
}

/** Events that are not kept yet; one with `fromSeq` takes the place of what it covers. Gives the highest number that is kept. */
export function keepEvents(memory, run, events) {
  const { summary } = run;
  for (const event of events) {
    if (event.seq <= summary.lastSeq) continue;
    const from = event.fromSeq ?? event.seq;
    if (from <= summary.lastSeq) run.events = run.events.filter(({ seq }) => seq < from);
    const json = JSON.stringify({ schema: 1, ...event });
    run.events.push(JSON.parse(json));
    count(
      run,
      event,
      addEvent(summary, event, () => balanceBefore(memory, run)),
    );
    summary.bytes += json.length;
  }
  for (const id of summary.agentSessionIds) if (!run.agentSessions.has(id)) joinSession(memory, run, id);
  return summary.lastSeq;
}

/** A run that ended elsewhere, in the place of what was there. With `onlyFigures` its events are counted and not kept. */
export function keepWhole(memory, { start, events, sourceState, onlyFigures }) {
  const run = memory.runs.get(start.runId) ?? createRun(memory, start);
  Object.assign(run, nothingKept(), { start: { ...run.start, ...start }, owner: undefined, endedAt: undefined });
  keepEvents(memory, run, events);
  Object.assign(run, { endedAt: run.summary.updatedAt, sourceState, onlyFigures });
  if (onlyFigures) {
    run.events = [];
    Object.assign(run.summary, { lastSeq: 0, bytes: 0 });
  }
  return run;
}

export function removeRun(memory, run) {
  if (!run) return;
  memory.runs.delete(run.start.runId);
  if (runsOf(memory, run.session).length === 0)
    memory.sessions = memory.sessions.filter((session) => session !== run.session);
}

/** A piped stream is kept once: of two readings the one that says less goes. True when it is this one. */
export function mergePiped(memory, run, sourceState) {
  const earlier = [...memory.runs.values()].filter(
    ({ no, start }) => start.piped && no < run.no && start.agent === run.start.agent,
  );
  const others = earlier.filter((other) => other.session === run.session && hasEnded(other));
  const known =
    earlier.find((other) => other.sourceState === sourceState) ??
    others.find((other) => isBeginning(run.events, other.events));
  if (known) {
    removeRun(memory, run);
    tellChange(memory, known);
    return true;
  }
  for (const other of others.filter(({ events }) => isBeginning(events, run.events))) {
    memory.runs.delete(other.start.runId);
    if (run.resumedFrom === other) run.resumedFrom = other.resumedFrom;
    const { events } = run;
    Object.assign(run, nothingKept());
    keepEvents(memory, run, events);
  }
  return false;
}

function count(run, { at, turn }, { charges = [], call } = {}) {
  if (call) run.calls.push({ at, turn, usage: {}, ...call });
  for (const { entry, shares, causes } of charges) {
    for (const cause of causes) run.causes.push({ at, ...cause });
    for (const { model, usd, ...usage } of entry.models) run.charges.push({ at, model, usd, usage });
    for (const share of shares) run.calls.push({ at, turn: entry.turn, calls: 0, failed: 0, ...share });
    // A turn's calls are spent when it is.
    for (const made of run.calls) if (made.turn === entry.turn) made.at = at;
  }
}

/** Where the agent's counters stood when the run before ended: its figures may reach back. */
function balanceBefore(memory, run) {
  const { agentSessionId } = run.summary;
  const before = run.resumedFrom ?? (agentSessionId && latestRunOf(memory, agentSessionId, { ...run.start, but: run }));
  if (before) return balanceOf(before.summary.ledger);
  return run.start.resumes === undefined ? undefined : {};
}

/** A run that shows the session id of an earlier one continues it, however it was started. */
function joinSession(memory, run, id) {
  const before = latestRunOf(memory, id, run.start);
  run.agentSessions.add(id);
  if (!before || before.session === run.session) return;
  const own = run.session;
  run.session = before.session;
  run.resumedFrom ??= before;
  if (runsOf(memory, own).length > 0) return;
  own.mergedInto = before.session;
  // What a person said of it holds for the whole.
  before.session.name ??= own.name;
  before.session.pinned ??= own.pinned;
  before.session.archivedAt = own.archivedAt ?? before.session.archivedAt;
}

/** A run of another project's is another's, whatever it says that it continues. */
export function latestRunOf(memory, agentSessionId, { agent, project, but } = {}) {
  const runs = [...memory.runs.values()].filter(
    (run) =>
      run !== but &&
      run.agentSessions.has(agentSessionId) &&
      (agent ?? run.start.agent) === run.start.agent &&
      (agent === undefined || project === run.start.project),
  );
  return runs.sort(byStart).at(-1);
}

const byStart = (one, other) => one.start.startedAt - other.start.startedAt || one.no - other.no;

/** The oldest first. */
export const runsOf = (memory, session) =>
  [...memory.runs.values()].filter((run) => run.session === session).sort(byStart);

export const hasEnded = (run) => (run.endedAt ?? run.summary.endedAt) !== undefined || !run.owner;

/** Ended before its agent did or said anything. */
export const isEmpty = (run) =>
  hasEnded(run) &&
  run.agentSessions.size === 0 &&
  !run.start.piped &&
  run.summary.toolCalls === 0 &&
  !usageOf(run.summary.ledger)?.outputTokens &&
  run.summary.outcome !== 'finished';

export const waitingIn = (run) => [...run.approvals.values()].filter(({ status }) => status === 'pending');

export function recordOf(run) {
  const { start, summary, session, owner, epoch, sourceState, onlyFigures } = run;
  const { agentVersion, prompt, error, lastSeq, bytes, turns, toolCalls, ledger } = summary;
  const isOver = hasEnded(run);
  const state = isOver ? 'ended' : waitingIn(run).length > 0 ? 'waiting' : 'running';
  return present({
    ...{ runId: start.runId, session: session.id, agent: start.agent, agentVersion, prompt, state, error },
    agentSessionId: summary.agentSessionId ?? (start.fork ? undefined : start.resumes),
    model: summary.model ?? start.model,
    cwd: start.cwd ?? summary.cwd,
    outcome: isOver ? (run.isInterrupted ? 'interrupted' : summary.outcome) : undefined,
    startedAt: start.startedAt,
    updatedAt: Math.max(start.startedAt, summary.updatedAt),
    endedAt: run.endedAt ?? summary.endedAt,
    owner: owner && { ...owner, epoch },
    piped: start.piped || undefined,
    terms: start.terms,
    project: start.project,
    principal: start.principal,
    stuck: isOver ? undefined : summary.stuck,
    resumedFrom: run.resumedFrom?.start.runId,
    ...{ sourceState, onlyFigures, lastSeq, bytes, turns, toolCalls },
    spent: costOf(ledger),
    balance: balanceOf(ledger),
    usage: usageOf(ledger) ?? {},
  });
}

/** What an importer has to know of it. */
export function sourceOf(run) {
  const { runId, agent, agentSessionId, sourceState, onlyFigures } = recordOf(run);
  return present({ runId, agent, agentSessionId, sourceState, onlyFigures });
}

export function sessionOf(memory, session) {
  const runs = runsOf(memory, session).map((run) => ({
    record: recordOf(run),
    title: run.summary.title,
    opening: openingOf(run.summary),
    waiting: waitingIn(run).length,
    hasSpent: hasSpent(run.summary.ledger),
  }));
  const { forkedFrom, name, pinned, archivedAt } = session;
  return sessionRecord(runs, { forkedFrom: forkedFrom?.id, name, pinned, archivedAt });
}

/** What is absent is not there at all. */
export const present = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
