/**
 * The store for those who use it through this hub: the calls of an engine, one address each. They are between glassboxes, so no document
 * describes them. Who asks is known by its token and by nothing that it says; a runner writes its own runs and sees nothing else.
 */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { GlassboxError, type Instruction } from '../event/index.js';
import type { RunStart, Store } from '../store/index.js';
import type { Batch, Change, Engine, HeldRun, Method, Post } from '../store/shell/engine.js';
import type { Deed } from './audit.js';
import { eventStream, message } from './event-stream.js';
import { narrowed } from './narrowed-store.js';
import type { Principal, Scope } from './principal.js';
import type { Env } from './requires.js';
import { checkBatch, checkCall, isCall } from './store-call.js';

/** One of these is needed; none: it depends on what is said. */
const NEEDED: Readonly<Record<Method | 'append', readonly Scope[]>> = {
  startRun: ['work'],
  append: ['work'],
  endRun: ['work'],
  take: ['work'],
  acknowledge: ['work'],
  beatFor: ['work'],
  page: ['view'],
  session: ['view'],
  sessions: ['view'],
  list: ['view'],
  search: ['view'],
  totals: ['view'],
  limits: ['view'],
  drift: ['view'],
  approvals: ['view'],
  decisions: ['view'],
  post: [],
  receptionOf: ['approve', 'run', 'operate'],
  withdraw: ['approve', 'run', 'operate'],
  label: ['operate'],
  delete: ['operate'],
  planPrune: ['administer'],
  removeOld: ['administer'],
  compact: ['administer'],
  size: ['administer'],
  keepRuns: ['administer'],
  sources: ['administer'],
};

const FOR_INSTRUCTION: Readonly<Record<Instruction['type'], Scope>> = {
  answer: 'approve',
  say: 'run',
  interrupt: 'operate',
  stop: 'operate',
  attempt: 'operate',
};

/** As the audit list calls what changes something for everybody; what a runner writes is in its runs. */
const STORE_DEEDS: Partial<Record<Method | 'append', string>> = {
  label: 'label',
  delete: 'delete',
  removeOld: 'prune',
  compact: 'compact',
};

const MOST_KNOWN = 10_000;

export function addStoreRoutes(app: OpenAPIHono<Env>, { store }: { store: Store }): void {
  /** Whose a run is; it stays so. */
  const owners = new Map<string, string | null>();

  app.post('/api/store/:method', async (context) => {
    const principal = context.get('principal');
    const method = context.req.param('method');
    if (!isCall(method)) throw new GlassboxError('not-found', 'There is no such call.');
    const args = checkCall(method, await context.req.json().catch(() => undefined));
    const deed = deedIn(method, args);
    if (deed) context.set('deed', deed);
    requireOne(principal, NEEDED[method]);
    const value =
      method === 'append' ? await append(args[0] as Batch[], principal) : await call(method, args, principal);
    return context.json({ value });
  });

  app.get('/api/store/changes', (context) => {
    const principal = context.get('principal');
    requireOne(principal, ['view', 'work']);
    return eventStream(context, (signal) => changesFor(principal, signal));
  });

  async function append(
    batches: Batch[],
    principal: Principal,
  ): Promise<(number | { code: string; message: string })[]> {
    return Promise.all(
      batches.map(async (batch) => {
        try {
          await requireOwn(batch.runId, principal);
          checkBatch(batch);
          return await doorOf().append(batch);
        } catch (error) {
          // What fails for one run fails for all only when the store itself fails.
          if (!(error instanceof GlassboxError) || error.code === 'store') throw error;
          return { code: error.code, message: error.message };
        }
      }),
    );
  }

  async function call(method: Method, args: unknown[], principal: Principal): Promise<unknown> {
    const { name, projects } = principal;
    switch (method) {
      case 'startRun': {
        const [start, ...rest] = args as Parameters<Engine['startRun']>;
        if (projects && !projects.includes(start.project ?? ''))
          throw forbidden(`${name} may not write runs for this project.`);
        if (await isThere(start.runId)) await requireOwn(start.runId, principal);
        owners.delete(start.runId);
        const whose = isTrusted(principal) ? (start.principal ?? name) : name;
        return doorOf().call('startRun', { ...start, principal: whose } satisfies RunStart, ...rest);
      }
      case 'endRun':
      case 'take':
      case 'acknowledge':
        await requireOwn(String(args[0]), principal);
        break;
      case 'beatFor':
        return beat(args[0] as HeldRun[], principal);
      case 'post': {
        const told = args[0] as Post;
        requireOne(principal, [FOR_INSTRUCTION[told.instruction.type] ?? 'administer']);
        await requireSeen(told.runId, principal);
        const { inside } = told.from;
        const from = { by: 'person', who: name, via: principal.via, ...(inside && { inside }) } as const;
        return doorOf().call('post', { ...told, from });
      }
      default:
        if (projects) return narrowedCall(method, args, principal);
    }
    return (doorOf().call as (method: string, ...given: unknown[]) => Promise<unknown>)(method, ...args);
  }

  /** What is not, or no longer, the caller's own is lost to it, and keeps nothing else from living. */
  async function beat(held: readonly HeldRun[], principal: Principal): Promise<string[]> {
    const isOwn = await Promise.all(held.map(({ runId }) => isOwnOf(runId, principal)));
    const lost = held.flatMap(({ runId }, index) => (isOwn[index] ? [] : [runId]));
    const own = held.filter((_, index) => isOwn[index]);
    return [...lost, ...(own.length > 0 ? await doorOf().call('beatFor', own) : [])];
  }

  /** Whoever is let in for some projects asks what the page may ask, and nothing that goes by numbers. */
  async function narrowedCall(method: Method, args: unknown[], principal: Principal): Promise<unknown> {
    const own = narrowed(store, principal);
    const asked = ['session', 'list', 'search', 'totals', 'limits', 'drift', 'approvals', 'decisions'] as const;
    const known = asked.find((one) => one === method);
    if (known) return (own[known] as (...given: unknown[]) => Promise<unknown>)(...args);
    if (method === 'receptionOf' || method === 'withdraw') return doorOf().call(method, String(args[0]));
    if (method === 'page') {
      await requireSeen(String(args[0]), principal);
      return doorOf().call('page', String(args[0]), Number(args[1]));
    }
    if (method === 'sessions') {
      const numbers = args[0] as number[];
      const records = await doorOf().call('sessions', numbers);
      const seen = await Promise.all(records.map(({ id }) => own.session(id)));
      return seen.filter((session) => session !== undefined);
    }
    throw forbidden(`${principal.name} is let in for some projects only, and this is about all of them.`);
  }

  async function* changesFor(principal: Principal, signal: AbortSignal): AsyncGenerator<string> {
    let waiting: Change[] = [];
    let missed = true;
    let wake: (() => void) | undefined;
    const stop = doorOf().listen((changes) => {
      if (changes.length === 0) missed = true;
      waiting.push(...changes);
      wake?.();
    });
    signal.addEventListener('abort', () => wake?.(), { once: true });
    try {
      while (!signal.aborted) {
        const changes = waiting;
        waiting = [];
        if (missed) yield message('[]');
        missed = false;
        const seen: Change[] = [];
        for (const change of changes) if (await isHeard(change.runId, principal)) seen.push(change);
        if (seen.length > 0) yield message(JSON.stringify(seen));
        if (waiting.length === 0 && !missed) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      stop();
    }
  }

  async function isHeard(runId: string, principal: Principal): Promise<boolean> {
    const { scopes, projects, name } = principal;
    if (scopes.has('view') && !projects) return true;
    if ((await ownerOf(runId)) === name) return true;
    return scopes.has('view') && (await narrowed(store, principal).session(runId)) !== undefined;
  }

  /** A run that another started is not touched, nor one that nobody here started by who may not look at it. */
  async function requireOwn(runId: string, principal: Principal): Promise<void> {
    if (await isOwnOf(runId, principal)) return;
    throw forbidden(`The run "${runId}" is not one of ${principal.name}.`);
  }

  async function isOwnOf(runId: string, principal: Principal): Promise<boolean> {
    if (isTrusted(principal)) return true;
    const { name, scopes } = principal;
    const owner = await ownerOf(runId);
    return owner === name || (owner === null && scopes.has('view'));
  }

  async function requireSeen(runId: string, principal: Principal): Promise<void> {
    if (principal.projects && !(await narrowed(store, principal).session(runId)))
      throw new GlassboxError('not-found', 'There is no such run.');
  }

  async function isThere(runId: string): Promise<boolean> {
    return owners.has(runId) || ((await store.session(runId))?.runs.some((run) => run.runId === runId) ?? false);
  }

  /** Null when there is no such run, or nobody came through a hub with it. */
  async function ownerOf(runId: string): Promise<string | null> {
    const known = owners.get(runId);
    if (known !== undefined) return known;
    const session = await store.session(runId);
    const owner = session?.runs.find((run) => run.runId === runId)?.principal;
    if (owner === undefined) return null;
    owners.set(runId, owner);
    const [oldest] = owners.keys();
    if (owners.size > MOST_KNOWN && oldest !== undefined) owners.delete(oldest);
    return owner;
  }

  function doorOf() {
    if (store.door) return store.door;
    throw new GlassboxError('conflict', 'The store of this server is itself at a hub: use that one.');
  }
}

function deedIn(method: Method | 'append', args: readonly unknown[]): Deed | undefined {
  if (method === 'post') {
    const { runId, instruction } = args[0] as Post;
    const deed = instruction.type === 'answer' ? instruction.answer?.type : instruction.type;
    return { deed: String(deed), subject: String(runId) };
  }
  const deed = STORE_DEEDS[method];
  const [subject] = args;
  return deed === undefined ? undefined : { deed, subject: String(subject) };
}

/** Who decides about others may also write for them, as whoever brings what another machine kept. */
function isTrusted({ scopes, projects }: Principal): boolean {
  return scopes.has('administer') && !projects;
}

function requireOne({ name, scopes, limit }: Principal, needed: readonly Scope[]): void {
  if (needed.length === 0 || needed.some((scope) => scopes.has(scope))) return;
  throw forbidden(limit ?? `${name} may not do this: it needs the scope ${needed.join(' or ')}.`);
}

function forbidden(text: string): GlassboxError {
  return new GlassboxError('forbidden', text);
}
