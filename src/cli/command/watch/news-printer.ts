/** Prints what is new of several sessions: a line says of which one when it is another than before. Nothing is printed twice. */
import type { AgentEvent } from '../../../event/index.js';
import { type RunRecord, readListed, type SessionRecord, type Store } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import type { ExitStatus } from '../../exit-status.js';
import { mannerOf, openPrinter } from '../../live/open-printer.js';
import type { Notices } from '../../notice/notices.js';
import { wantsColor } from '../../print/color.js';
import { createPrinter, type Printer } from '../../print/printer.js';
import { projectName } from '../../print/session-cell.js';
import { createSink, type Sink } from '../../print/sink.js';
import type { WatchFlags } from './command.js';

export interface NewsPrinter {
  /** What a session came to so far: its latest turn. */
  begin(session: SessionRecord): Promise<void>;
  /** What is new in it. */
  print(session: SessionRecord): Promise<void>;
  end(): Promise<void>;
  /** How the run that was printed last ended. */
  status(): ExitStatus | undefined;
  readonly closed: AbortSignal;
}

/** How far a run was printed: one that is filled again has other events at their places, and the same ones by their times. */
interface Printed {
  seq: number;
  /** The latest time. */
  at: number;
  /** What is at that place. */
  last?: string;
  /** What happened before was printed when it was there before. */
  since: number;
}

const nameOf = ({ type, at }: AgentEvent): string => `${type} ${at}`;

/** Of a session that is first heard of, this much is looked through for what just happened. */
const LOOKED_AT = 500;
/** What a program writes to disk was said a moment before. */
const SLACK_MS = 3000;

export interface NewsPrinterOptions {
  store: Store;
  home: string;
  notices: Notices;
}

export function createNewsPrinter(
  flags: WatchFlags,
  process: NodeJS.Process,
  { store, home, notices }: NewsPrinterOptions,
): NewsPrinter {
  const sink = createSink(process.stdout);
  const paint = createPaint(wantsColor(flags.color, process.stdout, process.env));
  const begun = Date.now() - SLACK_MS;
  const runs = new Map<string, Printed>();
  const printers = new Map<string, Printer>();
  /** By run. */
  const records = new Map<string, SessionRecord>();
  let current: string | undefined;
  let last: Printer | undefined;
  /** One session is a picture that goes on with each of its runs; several are told in lines. */
  const picture = flags.all || mannerOf(flags, process) === 'lines' ? undefined : openPrinter(flags, process);

  async function printNew(session: SessionRecord, run: RunRecord): Promise<void> {
    const known = runs.get(run.runId);
    if (known && run.lastSeq === known.seq && run.updatedAt <= known.at) return;
    const events = (known && (await readOn(run, known))) ?? (await readAnew(run, known));
    noticeNew(session, run, events);
    await show(session, events);
  }

  /** Undefined when what was printed is not there any more. */
  async function readOn({ runId, lastSeq }: RunRecord, printed: Printed): Promise<AgentEvent[] | undefined> {
    if (lastSeq < printed.seq) return undefined;
    const events: AgentEvent[] = [];
    const from = printed.last === undefined ? printed.seq + 1 : printed.seq;
    for await (const event of readListed(store, runId, from)) {
      if (event.seq > printed.seq) events.push(event);
      else if (printed.last !== nameOf(event)) return undefined;
    }
    note(runId, printed, events);
    return events.filter(({ at }) => at >= printed.since);
  }

  async function readAnew({ runId, lastSeq }: RunRecord, before: Printed | undefined): Promise<AgentEvent[]> {
    const since = before ? Math.max(begun, before.at + 1) : begun;
    const all: AgentEvent[] = [];
    const from = before ? 1 : Math.max(1, lastSeq - LOOKED_AT);
    for await (const event of readListed(store, runId, from)) all.push(event);
    note(runId, { seq: 0, at: before?.at ?? 0, since }, all);
    return all.filter(({ at }) => at >= since);
  }

  function note(runId: string, printed: Printed, events: readonly AgentEvent[]): void {
    const end = events.at(-1);
    const at = events.reduce((latest, event) => Math.max(latest, event.at), printed.at);
    runs.set(runId, end ? { ...printed, seq: end.seq, at, last: nameOf(end) } : printed);
  }

  /** What was over before anybody watched is no news. */
  function noticeNew(
    { id, waiting }: SessionRecord,
    { runId, agent, piped }: RunRecord,
    events: readonly AgentEvent[],
  ) {
    const about = { agent, runId, session: async () => id, isOpen: () => waiting > 0 && !piped };
    if (events.length > 0) notices.see(events, about);
    for (const event of events) if (event.type === 'run-end') notices.ended(event.reason, about);
  }

  async function show(session: SessionRecord, events: readonly AgentEvent[]): Promise<void> {
    if (events.length === 0) return;
    if (flags.json) {
      await sink.write(events.map((event) => `${safeJson({ schema: 1, session: session.id, ...event })}\n`).join(''));
      return;
    }
    const { runId = '' } = events[0] ?? {};
    // What is known of it may be older than its events.
    records.set(runId, (await store.session(session.id)) ?? session);
    const printer =
      picture ?? printers.get(runId) ?? createPrinter(flags, process, { sink: underHeading(runId, session) });
    printers.set(runId, printer);
    last = printer;
    await printer.print(events);
  }

  /** Names the session before its first line, and not before: its first events tell what to call it. */
  function underHeading(runId: string, first: SessionRecord): Sink {
    return {
      ...sink,
      write(data) {
        const session = records.get(runId) ?? first;
        const isOther = current !== session.id && data.length > 0;
        if (isOther) current = session.id;
        return sink.write(isOther ? `${heading(session)}\n${data}` : data);
      },
    };
  }

  function heading({ id, agent, cwd, title }: SessionRecord): string {
    const width = Math.min(process.stdout.columns || 200, 200);
    const place = projectName(cwd, home);
    const words = safeLine(title, Math.max(10, width - id.length - agent.length - place.length - 6));
    return `${paint('prefix', id)} ${safeLine(agent, 16)} ${paint('quiet', place)} ${words}`.trimEnd();
  }

  return {
    async begin(session) {
      for (const { runId, lastSeq, updatedAt } of session.runs)
        runs.set(runId, { seq: lastSeq, at: updatedAt, since: begun });
      const run = session.runs.at(-1);
      let turn: AgentEvent[] = [];
      for await (const event of readListed(store, run?.runId ?? '')) {
        if (event.type === 'turn-start' && event.parent === undefined) turn = picture ? askedBefore(turn) : [];
        turn.push(event);
        note(event.runId, { seq: 0, at: 0, since: begun }, [event]);
      }
      await show(session, turn);
    },
    async print(session) {
      for (const run of session.runs) await printNew(session, run);
    },
    async end() {
      await picture?.end();
      if (!flags.json) for (const printer of printers.values()) await printer.end();
    },
    status: () => last?.status(),
    closed: picture?.closed ?? sink.closed,
  };
}

/** Whoever comes to a turn wants to see what it was asked for, and who works. */
function askedBefore(events: readonly AgentEvent[]): AgentEvent[] {
  const end = events.findLastIndex(({ type }) => type === 'turn-end');
  return events.filter(
    ({ type, parent }, index) =>
      parent === undefined && (type === 'session-start' || (type === 'user-message' && index > end)),
  );
}
