/**
 * One process at a time sends the comments of a session, and writes down first what it is about to say. What one that was killed left is settled by
 * the next: what the session heard is marked as sent, and all else is pending again.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../checkpoint/index.js';
import { GlassboxError } from '../event/index.js';
import { isAlive, type ProcessIdentity, thisProcess } from '../run/process/reaper.js';
import type { ReviewComment } from './comment.js';
import { deliveryFolder, readComments, reviewDirectory, writeComment } from './comment-files.js';
import type { ReadableStore } from './folder-time.js';

export interface DeliveryOptions {
  dir?: string;
  /** Who sends; default this process. */
  owner?: ProcessIdentity;
}

export interface Delivery {
  /** Written down before anything is said. */
  isToSay(message: string, comments: readonly ReviewComment[]): Promise<void>;
  /** Written down in the last moment before an agent is started with it. */
  begins(): Promise<void>;
  wasSaid(): Promise<void>;
  /** It went wrong: what the session heard all the same was said. */
  giveUp(): Promise<void>;
}

/** One that is kept: `message` is absent while nothing was to be said. */
interface KeptDelivery {
  owner: ProcessIdentity;
  at: number;
  message?: string;
  comments?: readonly ReviewComment[];
  /** An agent was about to be started with it. */
  hasBegun?: true;
  isOver?: true;
}

type Reviewed = { id: string; runs: readonly { runId: string }[] };

/** Throws `conflict` while another one goes on. */
export async function beginDelivery(
  store: ReadableStore,
  session: Reviewed,
  { dir = reviewDirectory(), owner }: DeliveryOptions = {},
): Promise<Delivery> {
  const folder = deliveryFolder(dir, session.id);
  let own: KeptDelivery = { owner: owner ?? (await thisProcess()), at: Date.now() };
  for (;;) {
    const before = await keptDeliveries(folder);
    const last = before.at(-1);
    if (last && (await isUnderWay(store, session, last.kept))) throw new GlassboxError('conflict', UNDER_WAY);
    const number = (last?.number ?? 0) + 1;
    // Numbers are taken once, so that of all who find a dead one only one goes on.
    if (!(await take(folder, number, own))) continue;
    const write = async (news: Partial<KeptDelivery>) => {
      own = { ...own, ...news };
      await replaceFile(fileOf(folder, number), JSON.stringify(own));
    };
    const wasSaid = async () => {
      await markSent(own, dir);
      await write({ isOver: true });
    };
    const giveUp = async () => {
      const isSaid = own.message !== undefined && (await wasHeard(store, session.id, own).catch(() => false));
      await (isSaid ? wasSaid() : write({ isOver: true }));
    };
    try {
      for (const one of before) await settle(store, session, one.kept, dir);
      for (const one of before) await rm(fileOf(folder, one.number), { force: true });
    } catch (error) {
      await giveUp();
      throw error;
    }
    return {
      isToSay: (message, comments) => write({ message, comments, at: Date.now() }),
      begins: () => write({ hasBegun: true }),
      wasSaid,
      giveUp,
    };
  }
}

/** Whoever sends it lives, and the agent has not heard it yet. */
async function isUnderWay(store: ReadableStore, { id }: Reviewed, kept: KeptDelivery): Promise<boolean> {
  if (kept.isOver || !(await isAlive(kept.owner))) return false;
  // While it lives, the agent that it starts may still turn out not to start.
  const { hasBegun: _, ...told } = kept;
  return kept.message === undefined || !(await wasHeard(store, id, told));
}

const UNDER_WAY = 'Comments of this session are being sent just now. Look again in a moment.';

/** Marks what the session has heard, also while who sent it waits for the end of the run, or was killed. */
export async function settleDeliveries(
  store: ReadableStore,
  session: Reviewed,
  options: DeliveryOptions = {},
): Promise<void> {
  const last = (await keptDeliveries(deliveryFolder(options.dir ?? reviewDirectory(), session.id))).at(-1);
  if (!last || last.kept.isOver) return;
  // What cannot be settled now is so later.
  const delivery = await beginDelivery(store, session, options).catch(() => undefined);
  await delivery?.giveUp();
}

async function settle(store: ReadableStore, { id }: Reviewed, kept: KeptDelivery, dir: string): Promise<void> {
  if (kept.isOver || kept.message === undefined) return;
  if (await wasHeard(store, id, kept)) return markSent(kept, dir);
  const session = await store.session(id);
  if (session && session.state !== 'ended' && Date.now() - kept.at < ON_ITS_WAY_MS)
    throw new GlassboxError('conflict', CUT_OFF);
}

/** So long an agent that works may still be told what was said to it: a teller has no more patience than that. */
const ON_ITS_WAY_MS = 10_000;
const CUT_OFF =
  'Whoever was sending these comments was stopped a moment ago, and the agent may still hear them. Look again in some seconds.';

/** Long texts are shortened where they are kept. */
const COMPARED = 1000;

/**
 * The conversation has it, or an agent was started with it. The store knows of such a run before its agent begins, so that a start which failed is known
 * too.
 */
async function wasHeard(
  store: ReadableStore,
  session: string,
  { message = '', at, owner, hasBegun }: Omit<KeptDelivery, 'isOver'>,
): Promise<boolean> {
  let hasFailed = false;
  for (const run of (await store.session(session))?.runs ?? []) {
    if ((run.endedAt ?? at) < at) continue;
    if (run.outcome === 'spawn-failed') {
      hasFailed ||= run.startedAt >= at && run.owner?.pid === owner.pid;
      continue;
    }
    for await (const event of store.read(run.runId)) {
      if (event.type !== 'user-message' || event.at < at) continue;
      if (event.text.slice(0, COMPARED) === message.slice(0, COMPARED)) return true;
    }
  }
  return hasBegun === true && !hasFailed;
}

/** As they were told; what somebody wrote instead in that moment is a comment of its own. */
async function markSent({ comments = [], at }: KeptDelivery, dir: string): Promise<void> {
  const now = new Map((await readComments(comments, dir)).map((comment) => [comment.id, comment]));
  for (const sent of comments) {
    const other = now.get(sent.id);
    if (other && other.sentAt === undefined && other.text !== sent.text)
      await writeComment({ ...other, id: `${sent.id} changed` }, dir);
    await writeComment({ ...sent, sentAt: at }, dir);
  }
}

const PREFIX = 'delivery-';
const fileOf = (folder: string, number: number): string => path.join(folder, `${PREFIX}${number}`);

/** The oldest first; of one that is damaged nothing is known, and it is over. */
async function keptDeliveries(folder: string): Promise<{ number: number; kept: KeptDelivery }[]> {
  const names = await readdir(folder).catch(() => []);
  const numbers = names.flatMap((name) => (/^delivery-\d+$/.test(name) ? Number(name.slice(PREFIX.length)) : []));
  return Promise.all(
    numbers
      .sort((one, other) => one - other)
      .map(async (number) => {
        const text = await readFile(fileOf(folder, number), 'utf8').catch(() => '');
        return { number, kept: read(text) ?? { owner: { pid: 0, startTime: '' }, at: 0, isOver: true } };
      }),
  );
}

function read(text: string): KeptDelivery | undefined {
  try {
    const value = JSON.parse(text) as KeptDelivery;
    return typeof value.at === 'number' && typeof value.owner?.pid === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, and only when it is not there. */
async function take(folder: string, number: number, delivery: KeptDelivery): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = path.join(folder, `new-${randomUUID()}`);
  await writeFile(made, JSON.stringify(delivery), { mode: 0o600 });
  try {
    await link(made, fileOf(folder, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(made, { force: true });
  }
}
