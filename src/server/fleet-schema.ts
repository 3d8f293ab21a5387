/** What may be asked about tokens, jobs and workers, checked by the compiler against the client's types. */
import { z } from '@hono/zod-openapi';
import type {
  AuditQuery,
  BeatRequest,
  ClaimRequest,
  JobNews,
  JobQuery,
  JobRequest,
  TokenRequest,
} from '../client/api.js';
import { JOB_STATES } from '../store/fleet/job-record.js';
import { within } from './query-number.js';

const name = z.string().min(1).max(128);
const names = z.array(name).max(100);
const fence = z.int().nonnegative();

export const tokenRequest = z
  .strictObject({
    name: z.string().min(1).max(64),
    scopes: z.array(z.string().max(32)).max(16),
    projects: names.optional(),
    lifeMs: z.int().positive().optional(),
  })
  .openapi('TokenRequest') satisfies z.ZodType<TokenRequest>;

export const tokenParam = z.object({ token: z.string().regex(/^[\w-]{1,64}$/) });

export const auditQuery = z.object({
  principal: name.optional(),
  subject: z.string().max(256).optional(),
  limit: within(0, 1000).optional(),
  cursor: z.string().max(200).optional(),
}) satisfies z.ZodType<AuditQuery>;

/** No program, no arguments, no environment and no directory: those are the worker's own. */
export const jobRequest = z
  .strictObject({
    project: name,
    labels: names.optional(),
    host: name.optional(),
    again: z.boolean().optional(),
    agent: z.string().min(1).max(64),
    prompt: z.string().min(1).max(10_000_000),
    model: z.string().min(1).max(128).optional(),
    effort: z.string().min(1).max(32).optional(),
    permission: z.enum(['ask', 'accept-edits', 'plan', 'deny', 'bypass']).optional(),
    timeoutMs: z.number().int().positive().optional(),
    budgetUsd: z.number().positive().optional(),
    budgetTokens: z.number().int().positive().optional(),
    maxTurns: z.number().int().positive().optional(),
  })
  .openapi('JobRequest') satisfies z.ZodType<JobRequest>;

export const jobQuery = z.object({
  state: z.enum(JOB_STATES).optional(),
  principal: name.optional(),
  limit: within(0, 1000).optional(),
}) satisfies z.ZodType<Omit<JobQuery, 'projects'>>;

export const jobParam = z.object({ job: z.string().regex(/^[\w-]{1,64}$/) });

export const claimRequest = z
  .strictObject({
    name,
    labels: names,
    projects: names,
    agents: names,
    capacity: z.int().positive().max(1000),
    busy: z.int().nonnegative().max(1000),
    waitMs: z.int().nonnegative().max(60_000).optional(),
  })
  .openapi('ClaimRequest') satisfies z.ZodType<ClaimRequest>;

export const beatRequest = z
  .strictObject({ holds: z.array(z.strictObject({ id: name, fence })).max(1000) })
  .openapi('BeatRequest') satisfies z.ZodType<BeatRequest>;

const reason = z.string().max(2000);

export const jobNews = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('begin'), fence, runId: name }),
    z.strictObject({ type: z.literal('end'), fence, outcome: name }),
    z.strictObject({ type: z.literal('refuse'), fence, reason }),
    z.strictObject({ type: z.literal('lose'), fence, reason, runId: name.optional() }),
  ])
  .openapi('JobNews') satisfies z.ZodType<JobNews>;
