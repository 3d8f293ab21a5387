/** The part of the client that is about many machines: who may come in, jobs and workers, budgets. */
import { type OptionNames, refuseUnknown } from '../event/option.js';
import type {
  AuditEntry,
  AuditQuery,
  BeatReply,
  BeatRequest,
  BudgetState,
  ClaimReply,
  ClaimRequest,
  HeldReply,
  JobNews,
  JobQuery,
  JobRecord,
  JobRequest,
  NewTokenReply,
  Page,
  TokenRecord,
  TokenRequest,
  WorkerRecord,
} from './api.js';

export interface FleetClient {
  /** Those that were made, also those that hold no longer. */
  tokens(): Promise<TokenRecord[]>;
  /** It is told this once. */
  createToken(request: TokenRequest): Promise<NewTokenReply>;
  revokeToken(id: string): Promise<void>;
  /** Who did what, the latest first. */
  audit(query?: AuditQuery): Promise<Page<AuditEntry>>;
  /** Sends work to a worker. */
  postJob(request: JobRequest): Promise<JobRecord>;
  jobs(query?: Omit<JobQuery, 'projects'>): Promise<Page<JobRecord>>;
  job(id: string): Promise<JobRecord>;
  cancelJob(id: string): Promise<JobRecord>;
  workers(): Promise<WorkerRecord[]>;
  budgets(): Promise<BudgetState[]>;
  /** For a worker: the next job for itself alone. */
  claimJob(request: ClaimRequest, signal?: AbortSignal): Promise<ClaimReply>;
  /** For a worker: it lives. */
  beatJobs(request: BeatRequest, signal?: AbortSignal): Promise<BeatReply>;
  /** For a worker: what becomes of a job. */
  tellJob(id: string, news: JobNews, signal?: AbortSignal): Promise<HeldReply>;
}

/** How the client asks. */
export interface Ways {
  get<T>(path: string, query?: object): Promise<T>;
  post<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  remove(path: string): Promise<void>;
}

export function createFleetClient({ get, post, remove }: Omit<Ways, 'patch'>): FleetClient {
  const job = (id: string): string => `/api/jobs/${encodeURIComponent(id)}`;
  return {
    tokens: () => get('/api/tokens'),
    async createToken(request) {
      refuseUnknown('createToken', request, TOKEN_NAMES);
      return post('/api/tokens', request);
    },
    revokeToken: (id) => remove(`/api/tokens/${encodeURIComponent(id)}`),
    async audit(query) {
      refuseUnknown('audit', query, AUDIT_NAMES);
      return get('/api/audit', query);
    },
    async postJob(request) {
      refuseUnknown('postJob', request, JOB_NAMES);
      return post('/api/jobs', request);
    },
    async jobs(query) {
      refuseUnknown('jobs', query, JOBS_NAMES);
      return get('/api/jobs', query);
    },
    job: (id) => get(job(id)),
    cancelJob: (id) => post(`${job(id)}/cancel`),
    workers: () => get('/api/workers'),
    budgets: () => get('/api/budgets'),
    async claimJob(request, signal) {
      refuseUnknown('claimJob', request, CLAIM_NAMES);
      return post('/api/work/claim', request, signal);
    },
    async beatJobs(request, signal) {
      refuseUnknown('beatJobs', request, { holds: true });
      return post('/api/work/beat', request, signal);
    },
    async tellJob(id, news, signal) {
      refuseUnknown<object>('tellJob', news, NEWS_NAMES);
      return post(`/api/work/jobs/${encodeURIComponent(id)}`, news, signal);
    },
  };
}

const TOKEN_NAMES: OptionNames<TokenRequest> = { name: true, scopes: true, projects: true, lifeMs: true };
const AUDIT_NAMES: OptionNames<AuditQuery> = { principal: true, subject: true, limit: true, cursor: true };
const JOBS_NAMES: OptionNames<Omit<JobQuery, 'projects'>> = { state: true, principal: true, limit: true };
const JOB_NAMES: OptionNames<JobRequest> = {
  project: true,
  labels: true,
  host: true,
  again: true,
  agent: true,
  prompt: true,
  model: true,
  effort: true,
  permission: true,
  timeoutMs: true,
  budgetUsd: true,
  budgetTokens: true,
  maxTurns: true,
};
const CLAIM_NAMES: OptionNames<ClaimRequest> = {
  name: true,
  labels: true,
  projects: true,
  agents: true,
  capacity: true,
  busy: true,
  waitMs: true,
};
const NEWS_NAMES = { fence: true, outcome: true, reason: true, runId: true, type: true } as const;
