/** What may be asked of the server. The OpenAPI document is made from these; the client's types are checked against them. */
import { z } from '@hono/zod-openapi';
import type {
  AnswerRequest,
  ApproveRequest,
  CostQuery,
  DenyRequest,
  FindQuery,
  SayRequest,
  SessionQuery,
  StartRequest,
} from '../client/api.js';

const count = z.coerce.number().int().nonnegative();
const money = z.coerce.number().nonnegative();

export const startRequest = z
  .strictObject({
    agent: z.string().min(1).max(64),
    prompt: z.string().min(1).max(10_000_000),
    cwd: z.string().min(1).max(4096).optional(),
    permission: z.enum(['ask', 'accept-edits', 'plan', 'deny', 'bypass']).optional(),
    model: z.string().min(1).max(128).optional(),
    timeoutMs: z.number().int().positive().optional(),
    budgetUsd: z.number().positive().optional(),
    maxTurns: z.number().int().positive().optional(),
  })
  .openapi('StartRequest') satisfies z.ZodType<StartRequest>;

export const sayRequest = z
  .strictObject({ text: z.string().min(1).max(10_000_000) })
  .openapi('SayRequest') satisfies z.ZodType<SayRequest>;

export const approveRequest = z
  .strictObject({
    changes: z.record(z.string(), z.unknown()).optional(),
    removals: z.array(z.string().max(4096)).max(1000).optional(),
    remember: z.boolean().optional(),
  })
  .openapi('ApproveRequest') satisfies z.ZodType<ApproveRequest>;

export const denyRequest = z
  .strictObject({ message: z.string().max(100_000).optional(), interrupt: z.boolean().optional() })
  .openapi('DenyRequest') satisfies z.ZodType<DenyRequest>;

export const answerRequest = z
  .strictObject({ answers: z.record(z.string(), z.unknown()) })
  .openapi('AnswerRequest') satisfies z.ZodType<AnswerRequest>;

const outcome = z.string().max(32).optional();

export const sessionQuery = z.object({
  agent: z.string().max(64).optional(),
  project: z.string().max(4096).optional(),
  state: z.enum(['running', 'waiting', 'ended']).optional(),
  outcome,
  since: count.optional(),
  until: count.optional(),
  text: z.string().max(1000).optional(),
  limit: count.max(200).optional(),
  cursor: z.string().max(1000).optional(),
}) satisfies z.ZodType<SessionQuery>;

export const findQuery = z.object({
  text: z.string().min(1).max(1000),
  agent: z.string().max(64).optional(),
  tool: z.string().max(256).optional(),
  project: z.string().max(4096).optional(),
  outcome,
  since: count.optional(),
  until: count.optional(),
  minUsd: money.optional(),
  maxUsd: money.optional(),
  order: z.enum(['relevance', 'newest']).optional(),
  limit: count.max(100).optional(),
  cursor: z.string().max(1000).optional(),
}) satisfies z.ZodType<FindQuery>;

export const costQuery = z.object({
  by: z.enum(['day', 'project', 'agent', 'model', 'tool']),
  agent: z.string().max(64).optional(),
  project: z.string().max(4096).optional(),
  since: count.optional(),
  until: count.optional(),
}) satisfies z.ZodType<CostQuery>;

export const eventsQuery = z.object({ from: count.optional() });

export const exportQuery = z.object({ format: z.enum(['html', 'markdown']) });

export const sessionParam = z.object({ session: z.string().min(1).max(128) });

export const runParam = z.object({ run: z.string().min(1).max(128) });

export const approvalParam = runParam.extend({ approval: z.string().min(1).max(256) });

export const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) }).openapi('Refusal');

/** Answers are described by name; their fields are typed in `glassbox/client`. */
export const anyObject = z.record(z.string(), z.unknown());
