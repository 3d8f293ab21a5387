/**
 * What a glassbox elsewhere says to the store, judged by its form before anything reads it: whoever has a token may still send what makes no
 * sense, and one batch of nonsense must not fail with those of others in one transaction.
 */
import { z } from '@hono/zod-openapi';
import { GlassboxError } from '../event/index.js';
import type { Batch, Method } from '../store/shell/engine.js';

/** As text columns take it. */
const text = z.string().refine((value) => !value.includes('\0'), 'expected text without U+0000');
const id = text.min(1).max(512);
const whole = z.int().nonnegative();
const epoch = whole.max(2 ** 31 - 1);
/** Ms since the epoch, as far as dates go. */
const time = z.int().min(-8.64e15).max(8.64e15);
const anything = z.looseObject({});
const holder = z.looseObject({ id, host: text.max(1024), pid: whole }).optional();
const batch = z.looseObject({
  runId: id,
  bodies: z.array(z.string()),
  epoch: epoch.optional(),
  by: holder,
  onlyFigures: z.boolean().optional(),
});

const start = z.looseObject({
  runId: id,
  agent: text.min(1).max(128),
  startedAt: time,
  cwd: text.optional(),
  model: text.optional(),
  resumes: text.optional(),
  project: text.max(1024).optional(),
  principal: text.max(1024).optional(),
  terms: anything.optional(),
});
const post = z.looseObject({
  runId: id,
  id,
  instruction: z.looseObject({ type: text, approval: id.optional(), text: z.string().optional() }),
  from: anything,
});

const ARGUMENTS: Readonly<Record<Method | 'append', z.ZodType>> = {
  startRun: z.tuple([start, epoch.optional(), holder]),
  append: z.tuple([z.array(batch)]),
  endRun: z.tuple([id, text.optional(), epoch.optional(), holder]),
  take: z.tuple([id, epoch.optional(), holder]),
  acknowledge: z.tuple([id, id, z.looseObject({ outcome: text }), epoch.optional(), holder]),
  beatFor: z.tuple([z.array(z.looseObject({ runId: id, epoch }))]),
  page: z.tuple([id, whole]),
  session: z.tuple([text]),
  sessions: z.tuple([z.array(whole)]),
  list: z.tuple([anything]),
  search: z.tuple([z.looseObject({ text })]),
  totals: z.tuple([z.looseObject({ by: text })]),
  limits: z.tuple([]),
  drift: z.tuple([anything]),
  approvals: z.tuple([text.optional()]),
  decisions: z.tuple([anything]),
  post: z.tuple([post]),
  receptionOf: z.tuple([text]),
  withdraw: z.tuple([text]),
  label: z.tuple([text, anything]),
  delete: z.tuple([text]),
  planPrune: z.tuple([anything]),
  removeOld: z.tuple([whole]),
  compact: z.tuple([]),
  size: z.tuple([]),
  keepRuns: z.tuple([z.array(z.looseObject({ start, bodies: z.array(z.string()) }))]),
  sources: z.tuple([]),
};

export function isCall(method: string): method is Method | 'append' {
  return Object.hasOwn(ARGUMENTS, method);
}

/** Throws what the caller must hear. What is absent comes as null. */
export function checkCall(method: Method | 'append', body: unknown): unknown[] {
  const said = typeof body === 'object' && body !== null && 'args' in body ? body.args : undefined;
  if (!Array.isArray(said)) throw nonsense('args: a list is needed.');
  const args = said.map((one: unknown) => one ?? undefined);
  const { error } = ARGUMENTS[method].safeParse(args);
  const [issue] = error?.issues ?? [];
  if (issue) throw nonsense(`${['args', ...issue.path].join('.')}: ${issue.message}`);
  return args;
}

/** Events of this run, each of them one; what they say is the run's own. */
export function checkBatch({ runId, bodies }: Batch): void {
  for (const body of bodies) {
    const event = parsed(body);
    const { data, error } = stamped.safeParse(event);
    const [issue] = error?.issues ?? [];
    if (issue)
      throw nonsense(`An event of the run "${runId}" makes no sense: ${issue.path.join('.')}: ${issue.message}`);
    if (data?.runId !== runId) throw nonsense(`An event of another run came with those of "${runId}".`);
  }
}

const seq = z
  .int()
  .positive()
  .max(2 ** 31 - 1);
const stamped = z.looseObject({
  type: text.min(1).max(64),
  seq,
  fromSeq: seq.optional(),
  at: time,
  runId: id,
  agent: text.min(1).max(128),
});

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const nonsense = (message: string): GlassboxError => new GlassboxError('invalid-request', message);
