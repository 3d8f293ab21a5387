/** The typed client of a glassbox server: what the page uses, and programs too. */
import type {
  AgentEvent,
  AgentInfo,
  AnswerRequest,
  ApiError,
  ApproveRequest,
  CostQuery,
  DenyRequest,
  FindQuery,
  Health,
  Page,
  SayRequest,
  SearchPage,
  SessionQuery,
  SessionRecord,
  SessionsMessage,
  Started,
  StartRequest,
  Total,
} from './api.js';
import { readServerEvents } from './event-source.js';

export interface ClientOptions {
  /** `http://127.0.0.1:4177`; in the page it is the page's own origin. */
  url?: string;
  /** For programs; browsers are known by their cookie. */
  token?: string;
  fetch?: typeof fetch;
  /** Waits before a dropped stream is opened again, growing. Default 250 ms to 5 s. */
  retryMs?: readonly number[];
}

export interface StreamOptions {
  signal?: AbortSignal;
  /** Told when the connection is lost and when it is there again. */
  onConnection?: (state: 'open' | 'lost') => void;
}

/** A refused request. `status` is the HTTP status, `code` does not change between versions. */
export class ClientError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ClientError';
    this.status = status;
    this.code = code;
  }
}

export interface Client {
  health(): Promise<Health>;
  agents(): Promise<AgentInfo[]>;
  sessions(query?: SessionQuery): Promise<Page<SessionRecord>>;
  session(id: string): Promise<SessionRecord>;
  /** Sessions and waiting approvals: a snapshot, then changes; opens itself again until aborted. */
  watchSessions(options?: StreamOptions): AsyncGenerator<SessionsMessage, void, undefined>;
  start(request: StartRequest): Promise<Started>;
  /** Says it to the running agent, or resumes the session with it. */
  say(session: string, request: SayRequest): Promise<Started>;
  /** All events of a run from `fromSeq` on and what comes, without loss or repetition; ends after `run-end`. */
  events(runId: string, options?: StreamOptions & { fromSeq?: number }): AsyncGenerator<AgentEvent, void, undefined>;
  approve(runId: string, approvalId: string, request?: ApproveRequest): Promise<void>;
  deny(runId: string, approvalId: string, request?: DenyRequest): Promise<void>;
  answer(runId: string, approvalId: string, request: AnswerRequest): Promise<void>;
  interrupt(runId: string): Promise<void>;
  cancel(runId: string): Promise<void>;
  remove(session: string): Promise<void>;
  search(query: FindQuery): Promise<SearchPage>;
  cost(query: CostQuery): Promise<Total[]>;
  /** Where the session can be downloaded as a file. */
  exportUrl(session: string, format: 'html' | 'markdown'): string;
}

const RETRY_MS = [250, 500, 1000, 2000, 5000] as const;

export function createClient(options: ClientOptions = {}): Client {
  const { url = '', token, retryMs = RETRY_MS } = options;
  const send = options.fetch ?? fetch;
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const init: RequestInit = { method, headers, credentials: 'same-origin', signal: signal ?? null };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await send(`${url}${path}`, init);
    if (!response.ok) throw await refusal(response);
    return response;
  }

  const get = async <T>(path: string, query: object = {}): Promise<T> =>
    (await request('GET', `${path}${queryString(query)}`)).json() as Promise<T>;
  const post = async <T>(path: string, body: unknown = {}): Promise<T> =>
    (await request('POST', path, body)).json() as Promise<T>;
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
      onConnection?.('lost');
      await pause(retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000, signal);
    }
  }

  const run = (runId: string): string => `/api/runs/${encodeURIComponent(runId)}`;
  const session = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;
  const approval = (runId: string, id: string): string => `${run(runId)}/approvals/${encodeURIComponent(id)}`;

  return {
    health: () => get('/api/health'),
    agents: () => get('/api/agents'),
    sessions: (query) => get('/api/sessions', query),
    session: (id) => get(session(id)),
    watchSessions: (stream = {}) =>
      reconnect<SessionsMessage>(
        stream,
        () => '/api/sessions/stream',
        (data) => JSON.parse(data),
        () => false,
      ),
    start: (body) => post('/api/runs', body),
    say: (id, body) => post(`${session(id)}/say`, body),
    events(runId, { fromSeq = 1, ...stream } = {}) {
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
    approve: (runId, id, body = {}) => tell(`${approval(runId, id)}/approve`, body),
    deny: (runId, id, body = {}) => tell(`${approval(runId, id)}/deny`, body),
    answer: (runId, id, body) => tell(`${approval(runId, id)}/answer`, body),
    interrupt: (runId) => tell(`${run(runId)}/interrupt`),
    cancel: (runId) => tell(`${run(runId)}/cancel`),
    async remove(id) {
      await request('DELETE', session(id));
    },
    search: (query) => get('/api/search', query),
    cost: (query) => get('/api/cost', query),
    exportUrl: (id, format) => `${url}${session(id)}/export?format=${format}`,
  };
}

async function refusal(response: Response): Promise<ClientError> {
  const body = (await response.json().catch(() => undefined)) as Partial<ApiError> | undefined;
  const { code = 'failed', message = `The server answered ${response.status}.` } = body?.error ?? {};
  return new ClientError(response.status, code, message);
}

function queryString(query: object): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([key, value]): [string, string] => [key, String(value)]))}`;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
