/** What may be asked of the server. The OpenAPI document is made from these, and the compiler checks them against the client's types. */
import { z } from '@hono/zod-openapi';
import type {
  AttachRequest,
  ChangeLinesQuery,
  ChangesQuery,
  CostQuery,
  DecisionQuery,
  FileQuery,
  FindQuery,
  GoOnRequest,
  LabelRequest,
  LoginRequest,
  RewindHunkQuery,
  RewindQuery,
  RewindRequest,
  SayRequest,
  SessionQuery,
  StartQuery,
  StartRequest,
} from '../client/api.js';
import type { AnswerOf } from '../event/index.js';
import { TOTAL_KEYS } from '../store/query.js';
import { count, money, within } from './query-number.js';

/** A key, a signature, a random number: base64url. */
const encoded = z.string().regex(/^[\w-]{1,256}$/);

/** In a query everything is text. */
const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .openapi({ type: 'boolean' });

const permission = z.enum(['ask', 'accept-edits', 'plan', 'deny', 'bypass']);

const attachments = z
  .array(z.string().regex(/^[0-9a-f]{32}$/))
  .max(10)
  .optional();

export const attachRequest = z
  .strictObject({ name: z.string().min(1).max(1000), data: z.base64().min(1) })
  .openapi('AttachRequest') satisfies z.ZodType<AttachRequest>;

const effort = z.string().min(1).max(32).optional();

export const startRequest = z
  .strictObject({
    agent: z.string().min(1).max(64),
    prompt: z.string().min(1).max(10_000_000),
    cwd: z.string().min(1).max(4096).optional(),
    permission: permission.optional(),
    model: z.string().min(1).max(128).optional(),
    effort,
    attachments,
    timeoutMs: z.number().int().positive().optional(),
    budgetUsd: z.number().positive().optional(),
    budgetTokens: z.number().int().positive().optional(),
    maxTurns: z.number().int().positive().optional(),
    worktree: z.boolean().optional(),
    goOn: z.number().int().positive().max(100).optional(),
  })
  .openapi('StartRequest') satisfies z.ZodType<StartRequest>;

const cwd = z.string().min(1).max(4096).optional();

export const startQuery = z.object({ agent: z.string().min(1).max(64), cwd }) satisfies z.ZodType<StartQuery>;

export const fileQuery = z.object({ text: z.string().max(1000), cwd }) satisfies z.ZodType<FileQuery>;

export const sayRequest = z
  .strictObject({
    text: z.string().min(1).max(10_000_000),
    permission: permission.optional(),
    model: z.string().min(1).max(128).optional(),
    effort,
    attachments,
    fork: z.boolean().optional(),
  })
  .openapi('SayRequest') satisfies z.ZodType<SayRequest>;

export const labelRequest = z
  .strictObject({
    name: z.string().max(1000).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  })
  .openapi('LabelRequest') satisfies z.ZodType<LabelRequest>;

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
  minUsd: money.optional(),
  maxUsd: money.optional(),
  pinned: flag.optional(),
  archived: flag.optional(),
  text: z.string().max(1000).optional(),
  limit: within(0, 200).optional(),
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
  limit: within(0, 100).optional(),
  cursor: z.string().max(1000).optional(),
}) satisfies z.ZodType<FindQuery>;

export const costQuery = sessionQuery
  .omit({ text: true, limit: true, cursor: true })
  .extend({ by: z.enum(TOTAL_KEYS) }) satisfies z.ZodType<CostQuery>;

export const decisionQuery = z.object({
  since: count.optional(),
  limit: within(0, 500).optional(),
}) satisfies z.ZodType<DecisionQuery>;
const turn = within(0, 999_999);

export const changesQuery = z.object({
  turn: turn.optional(),
  brief: flag.optional(),
}) satisfies z.ZodType<ChangesQuery>;

export const changeLinesQuery = changesQuery.omit({ brief: true }).extend({
  from: z.string().min(1).max(4096).optional(),
  limit: within(1, 200).optional(),
}) satisfies z.ZodType<ChangeLinesQuery>;

export const rewindQuery = z.object({ turn, before: flag.optional() }) satisfies z.ZodType<RewindQuery>;

export const rewindHunkQuery = rewindQuery.extend({
  path: z.string().min(1).max(4096),
}) satisfies z.ZodType<RewindHunkQuery>;

export const rewindRequest = z
  .strictObject({
    turn: z.int().nonnegative().max(999_999),
    before: z.boolean().optional(),
    fingerprint: z.string().min(1).max(128),
    paths: z.array(z.string().min(1).max(4096)).max(100_000).optional(),
    hunks: z.record(z.string().max(4096), z.array(z.int().nonnegative()).max(100_000)).optional(),
    filesOnly: z.boolean().optional(),
  })
  .openapi('RewindRequest') satisfies z.ZodType<RewindRequest>;

export const goOnRequest = z
  .strictObject({ at: z.number().nonnegative().max(8_640_000_000_000_000).optional() })
  .openapi('GoOnRequest') satisfies z.ZodType<GoOnRequest>;

export const eventsQuery = z.object({ from: count.optional() });

export const exportQuery = z.object({ format: z.enum(['html', 'markdown']) });

export const sessionParam = z.object({ session: z.string().min(1).max(128) });

export const browserParam = z.object({ browser: encoded });

export const runParam = z.object({ run: z.string().min(1).max(128) });

export const approvalParam = runParam.extend({ approval: z.string().min(1).max(256) });

export const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) }).openapi('Refusal');
