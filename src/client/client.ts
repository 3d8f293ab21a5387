/** The typed client of a glassbox server: what the page uses, and programs too. */

import { refuseUnknown } from '../event/option.js';
import type {
  AgentEvent,
  AgentInfo,
  Answer,
  AnswerOf,
  AttachRequest,
  BrowserRecord,
  ChangeLines,
  ChangeLinesQuery,
  ChangesQuery,
  ComparisonReport,
  CostQuery,
  DecisionQuery,
  DecisionRecord,
  DifferenceHunk,
  FileQuery,
  FindQuery,
  GoOnRequest,
  GuestLink,
  GuestRecord,
  KeptAttachment,
  LabelRequest,
  LoginLink,
  OpenCommand,
  Page,
  ParkedSession,
  RewindPlan,
  RewindQuery,
  RewindRequest,
  Rewound,
  SayRequest,
  SearchPage,
  ServerHealth,
  SessionChanges,
  SessionDetail,
  SessionQuery,
  SessionRecord,
  SessionsMessage,
  SessionTurn,
  StartChoices,
  Started,
  StartQuery,
  StartRequest,
  Total,
  WentOn,
} from './api.js';
import { ClientError, refusalIn } from './client-error.js';
import { readServerEvents } from './event-source.js';
import { createFleetClient, type FleetClient } from './fleet-client.js';
import { refuseInsideRun } from './inside-run.js';
import {
  ANSWER_NAMES,
  ATTACH_NAMES,
  CHANGE_LINES_NAMES,
  CHANGES_NAMES,
  CHOICE_NAMES,
  CLIENT_NAMES,
  COST_NAMES,
  DECISION_NAMES,
  FILE_NAMES,
  FIND_NAMES,
  GO_ON_NAMES,
  LABEL_NAMES,
  MOMENT_NAMES,
  REWIND_NAMES,
  SAY_NAMES,
  SESSION_NAMES,
  START_NAMES,
  STREAM_NAMES,
} from './known-option.js';
import { createReviewClient, type ReviewClient } from './review-client.js';

export interface ClientOptions {
  /** `http://127.0.0.1:4177`; in the page it is the page's own origin. */
  url?: string;
  /** For programs. Read it from a file: in an argument or an address others see it. */
  token?: string;
  /** The page's own, which signs; it is given what is asked and how. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Told whenever a stream was lost: whoever answers next may be another server. */
  onLost?: () => void;
  /** Waits before a dropped stream is opened again, growing. Default 250 ms to 5 s. */
  retryMs?: readonly number[];
  /** Called while it waits: whoever knows that the server may be back calls `again`. Gives back how to stop. */
  whileLost?: (again: () => void) => () => void;
}

export interface StreamOptions {
  signal?: AbortSignal;
  /** Told when the connection is lost and when it is there again. */
  onConnection?: (state: 'open' | 'lost') => void;
}

export interface Client extends FleetClient, ReviewClient {
  health(): Promise<ServerHealth>;
  agents(): Promise<AgentInfo[]>;
  sessions(query?: SessionQuery): Promise<Page<SessionRecord>>;
  session(id: string): Promise<SessionDetail>;
  /** Rejects where the agent has no program of its own for it. */
  openCommand(session: string): Promise<OpenCommand>;
  /** Sessions, waiting approvals and what the sessions do: a snapshot, then changes; opens itself again until aborted. */
  watchSessions(options?: StreamOptions): AsyncGenerator<SessionsMessage, void, undefined>;
  start(request: StartRequest): Promise<Started>;
  /** What there is to choose from before an agent is started. */
  startChoices(query: StartQuery): Promise<StartChoices>;
  /** Files of a project whose paths have these letters, the nearest first. */
  findFiles(query: FileQuery): Promise<string[]>;
  /** Sends what is to be attached; `start` and `say` take its id. */
  attach(file: AttachRequest): Promise<KeptAttachment>;
  /** Says it to the running agent, or resumes the session with it, as it was or otherwise, or a copy of it. */
  say(session: string, request: SayRequest): Promise<Started>;
  /** All events of a run from `fromSeq` on and what comes, without loss or repetition; ends after `run-end`. */
  events(runId: string, options?: StreamOptions & { fromSeq?: number }): AsyncGenerator<AgentEvent, void, undefined>;
  approve(runId: string, approvalId: string, request?: AnswerOf<'approve'>): Promise<void>;
  deny(runId: string, approvalId: string, request?: AnswerOf<'deny'>): Promise<void>;
  answer(runId: string, approvalId: string, request: AnswerOf<'answer'>): Promise<void>;
  /** Any of these three. */
  decide(runId: string, approvalId: string, answer: Answer): Promise<void>;
  interrupt(runId: string): Promise<void>;
  cancel(runId: string): Promise<void>;
  /** What a person says of a session: a name, that it is kept. */
  label(session: string, label: LabelRequest): Promise<SessionRecord>;
  remove(session: string): Promise<void>;
  /** What was decided about questions of agents, in all sessions, the latest first. */
  decisions(query?: DecisionQuery): Promise<DecisionRecord[]>;
  /** The turns of a session, and what each did to the files. */
  turns(session: string): Promise<SessionTurn[]>;
  /** What a session, or one of its turns, did to the files, and what became of each. */
  changes(session: string, query?: ChangesQuery): Promise<SessionChanges>;
  /** The lines of some of these files. */
  changeLines(session: string, query?: ChangeLinesQuery): Promise<ChangeLines>;
  /** What going back would change; to be shown before `rewind`. */
  planRewind(session: string, moment: RewindQuery): Promise<RewindPlan>;
  /** The lines of one file of the plan. */
  rewindHunks(session: string, path: string, moment: RewindQuery): Promise<DifferenceHunk[]>;
  /** Does what a plan showed, or a part of it. */
  rewind(session: string, request: RewindRequest): Promise<Rewound>;
  undoRewind(session: string): Promise<Rewound>;
  /** Sessions that a limit of the account stopped; the one that goes on first, first. */
  parked(): Promise<ParkedSession[]>;
  /** Comparisons of agents on the server's machine, the latest first. */
  comparisons(): Promise<ComparisonReport[]>;
  /** Lets one of them go on, now or at a moment. */
  goOn(session: string, request?: GoOnRequest): Promise<WentOn>;
  /** It has ended as it did. */
  neverGoOn(session: string): Promise<void>;
  search(query: FindQuery): Promise<SearchPage>;
  cost(query: CostQuery): Promise<Total[]>;
  /** The session as a file. */
  export(session: string, format: 'html' | 'markdown'): Promise<{ name: string; text: string }>;
  /** A link that lets one more browser in. */
  createLink(): Promise<LoginLink>;
  /** A link for a phone, as a picture: two minutes, once, and to be confirmed. */
  createGuestLink(): Promise<GuestLink>;
  /** Who waits to be confirmed. */
  guests(): Promise<GuestRecord[]>;
  answerGuest(id: string, isLetIn: boolean): Promise<void>;
  /** The browsers that were let in, the last used first. */
  browsers(): Promise<BrowserRecord[]>;
  forgetBrowser(id: string): Promise<void>;
}

const RETRY_MS = [250, 500, 1000, 2000, 5000] as const;

/** A typed client of the server: sessions, events, answers, cost. */
export function createClient(options: ClientOptions = {}): Client {
  refuseUnknown('createClient', options, CLIENT_NAMES);
  const { url = '', token, retryMs = RETRY_MS } = options;
  const send = options.fetch ?? fetch;
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const init: RequestInit = { method, headers, signal: signal ?? null };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await send(`${url}${path}`, init);
    if (!response.ok) throw await refusalIn(response);
    return response;
  }

  const get = async <T>(path: string, query: object = {}): Promise<T> =>
    (await request('GET', `${path}${queryString(query)}`)).json() as Promise<T>;
  const post = async <T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> =>
    (await request('POST', path, body, signal)).json() as Promise<T>;
  const patch = async <T>(path: string, body: unknown): Promise<T> =>
    (await request('PATCH', path, body)).json() as Promise<T>;
  const remove = async (path: string): Promise<void> => {
    await request('DELETE', path);
  };
  const tell = async (path: string, body: unknown = {}): Promise<void> => {
    await request('POST', path, body);
  };

  /** One connection after the other; `open` says where the next one begins. */
  async function* reconnect<T>(
    { signal, onConnection }: StreamOptions,
    path: () => string,
    read: (data: string) => T | undefined,
    isLast: (message: T) => boolean,
  ): AsyncGenerator<T, void, undefined> {
    for (let failures = 0; !signal?.aborted; failures += 1) {
      try {
        const response = await request('GET', path(), undefined, signal);
        onConnection?.('open');
        failures = 0;
        for await (const { data } of readServerEvents(response.body ?? new ReadableStream())) {
          const message = read(data);
          if (message === undefined) continue;
          yield message;
          if (isLast(message)) return;
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (error instanceof ClientError && error.status < 500) throw error;
      }
      options.onLost?.();
      onConnection?.('lost');
      await pause(retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000, signal, options.whileLost);
    }
  }

  const run = (runId: string): string => `/api/runs/${encodeURIComponent(runId)}`;
  const session = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;
  const approval = (runId: string, id: string): string => `${run(runId)}/approvals/${encodeURIComponent(id)}`;
  const decide = async (runId: string, id: string, { type, ...said }: Answer): Promise<void> => {
    refuseUnknown<object>(type, said, ANSWER_NAMES[type]);
    refuseInsideRun();
    await tell(`${approval(runId, id)}/${type}`, said);
  };

  return {
    ...createFleetClient({ get, post, remove }),
    ...createReviewClient({ get, post, patch, remove }),
    health: () => get('/api/health'),
    agents: () => get('/api/agents'),
    async sessions(query) {
      refuseUnknown('sessions', query, SESSION_NAMES);
      return get('/api/sessions', query);
    },
    session: (id) => get(session(id)),
    openCommand: (id) => get(`${session(id)}/open`),
    watchSessions(stream = {}) {
      refuseUnknown('watchSessions', stream, STREAM_NAMES);
      return reconnect<SessionsMessage>(
        stream,
        () => '/api/sessions/stream',
        (data) => JSON.parse(data),
        () => false,
      );
    },
    async start(body) {
      refuseUnknown('start', body, START_NAMES);
      return post('/api/runs', body);
    },
    async startChoices(query) {
      refuseUnknown('startChoices', query, CHOICE_NAMES);
      return get('/api/start', query);
    },
    async findFiles(query) {
      refuseUnknown('findFiles', query, FILE_NAMES);
      return get('/api/files', query);
    },
    async attach(body) {
      refuseUnknown('attach', body, ATTACH_NAMES);
      return post('/api/attachments', body);
    },
    async say(id, body) {
      refuseUnknown('say', body, SAY_NAMES);
      return post(`${session(id)}/say`, body);
    },
    events(runId, { fromSeq = 1, ...stream } = {}) {
      refuseUnknown('events', stream, STREAM_NAMES);
      let next = fromSeq;
      return reconnect<AgentEvent>(
        stream,
        () => `${run(runId)}/events?from=${next}`,
        (data) => {
          const event = JSON.parse(data) as AgentEvent;
          if (event.seq < next) return undefined;
          next = event.seq + 1;
          return event;
        },
        (event) => event.type === 'run-end',
      );
    },
    approve: (runId, id, body) => decide(runId, id, { type: 'approve', ...body }),
    deny: (runId, id, body) => decide(runId, id, { type: 'deny', ...body }),
    answer: (runId, id, body) => decide(runId, id, { type: 'answer', ...body }),
    decide,
    interrupt: (runId) => tell(`${run(runId)}/interrupt`),
    cancel: (runId) => tell(`${run(runId)}/cancel`),
    async label(id, label) {
      refuseUnknown('label', label, LABEL_NAMES);
      return patch(session(id), label);
    },
    remove: (id) => remove(session(id)),
    async decisions(query) {
      refuseUnknown('decisions', query, DECISION_NAMES);
      return get('/api/decisions', query);
    },
    turns: (id) => get(`${session(id)}/turns`),
    async changes(id, query = {}) {
      refuseUnknown('changes', query, CHANGES_NAMES);
      return get(`${session(id)}/changes`, query);
    },
    async changeLines(id, query = {}) {
      refuseUnknown('changeLines', query, CHANGE_LINES_NAMES);
      return get(`${session(id)}/changes/lines`, query);
    },
    async planRewind(id, moment) {
      refuseUnknown('planRewind', moment, MOMENT_NAMES);
      return get(`${session(id)}/rewind`, moment);
    },
    async rewindHunks(id, path, moment) {
      refuseUnknown('rewindHunks', moment, MOMENT_NAMES);
      return get(`${session(id)}/rewind/hunks`, { ...moment, path });
    },
    async rewind(id, body) {
      refuseUnknown('rewind', body, REWIND_NAMES);
      refuseInsideRun();
      return post(`${session(id)}/rewind`, body);
    },
    async undoRewind(id) {
      refuseInsideRun();
      return post(`${session(id)}/rewind/undo`);
    },
    parked: () => get('/api/parked'),
    comparisons: () => get('/api/comparisons'),
    async goOn(id, body = {}) {
      refuseUnknown('goOn', body, GO_ON_NAMES);
      refuseInsideRun();
      return post(`${session(id)}/go-on`, body);
    },
    async neverGoOn(id) {
      refuseInsideRun();
      await request('DELETE', `${session(id)}/go-on`);
    },
    async search(query) {
      refuseUnknown('search', query, FIND_NAMES);
      return get('/api/search', query);
    },
    async cost(query) {
      refuseUnknown('cost', query, COST_NAMES);
      return get('/api/cost', query);
    },
    async export(id, format) {
      const response = await request('GET', `${session(id)}/export?format=${format}`);
      const name = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
      return { name: name ?? `session.${format}`, text: await response.text() };
    },
    createLink: () => post('/api/links'),
    createGuestLink: () => post('/api/guests'),
    guests: () => get('/api/guests'),
    answerGuest: (id, letIn) => tell(`/api/guests/${encodeURIComponent(id)}`, { letIn }),
    browsers: () => get('/api/browsers'),
    forgetBrowser: (id) => remove(`/api/browsers/${encodeURIComponent(id)}`),
  };
}

function queryString(query: object): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([key, value]): [string, string] => [key, String(value)]))}`;
}

function pause(ms: number, signal: AbortSignal | undefined, listen?: ClientOptions['whileLost']): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    const stop = listen?.(done);
    function done(): void {
      clearTimeout(timer);
      stop?.();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
