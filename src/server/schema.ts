/** What may be asked of the server. The OpenAPI document is made from these, and the compiler checks them against the client's types. */
import { z } from '@hono/zod-openapi';
import type { CostQuery, FindQuery, LoginRequest, SayRequest, SessionQuery, StartRequest } from '../client/api.js';
import type { AnswerOf } from '../event/index.js';
import { TOTAL_KEYS } from '../store/query.js';

/** A key, a signature, a random number: base64url. */
const encoded = z.string().regex(/^[\w-]{1,256}$/);
const count = z.coerce.number().int().nonnegative().openapi({ type: 'integer' });
const money = z.coerce.number().nonnegative().openapi({ type: 'number' });

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
    changes: z
      .strictObject({
        set: z.record(z.string().max(4096), z.unknown()).optional(),
        remove: z.array(z.string().max(4096)).max(1000).optional(),
      })
      .optional(),
    remember: z.array(z.int().nonnegative()).max(100).optional(),
  })
  .openapi('ApproveRequest') satisfies z.ZodType<AnswerOf<'approve'>>;

export const denyRequest = z
  .strictObject({ message: z.string().max(100_000).optional(), interrupt: z.boolean().optional() })
  .openapi('DenyRequest') satisfies z.ZodType<AnswerOf<'deny'>>;

export const answerRequest = z
  .strictObject({ answers: z.record(z.string(), z.unknown()) })
  .openapi('AnswerRequest') satisfies z.ZodType<AnswerOf<'answer'>>;

const loginPart = { boot: encoded, pageKey: encoded };

export const loginRequest = z
  .union([
    z.strictObject({ ...loginPart, browserKey: encoded, mac: encoded }),
    z.strictObject({ ...loginPart, browser: encoded, signature: encoded }),
  ])
  .openapi('LoginRequest') satisfies z.ZodType<LoginRequest>;

export const helloQuery = z.object({ origin: z.string().max(300), nonce: encoded });

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
  by: z.enum(TOTAL_KEYS),
  agent: z.string().max(64).optional(),
  project: z.string().max(4096).optional(),
  since: count.optional(),
  until: count.optional(),
}) satisfies z.ZodType<CostQuery>;

export const eventsQuery = z.object({ from: count.optional() });

export const exportQuery = z.object({ format: z.enum(['html', 'markdown']) });

export const sessionParam = z.object({ session: z.string().min(1).max(128) });

export const browserParam = z.object({ browser: encoded });

export const runParam = z.object({ run: z.string().min(1).max(128) });

export const approvalParam = runParam.extend({ approval: z.string().min(1).max(256) });

export const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) }).openapi('Refusal');
