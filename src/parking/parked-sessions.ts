/** The sessions that are parked in a store, and what a person says of them: now, later, never. */
import { GlassboxError } from '../event/index.js';
import type { Evidence } from '../presence/index.js';
import type { SessionRecord, Store } from '../store/index.js';
import { claimant } from './claim.js';
import { dueAt, type ParkedRun, parkingDirectory, readAllParked, removeParked, writeParked } from './record.js';

/** As it is told to people and programs. */
export interface ParkedSession {
  /** Our session, by its short id. */
  session: string;
  /** The run that was stopped. */
  runId: string;
  agent: string;
  title: string;
  cwd?: string;
  /** When the limit ends, ms since the epoch. */
  until: number;
  /** Which limit, as the agent calls it. */
  window?: string;
  /** When it goes on by itself; absent: when a person says so. */
  goesOnAt?: number;
  /** How many limits it may wait for by itself, this one included. */
  timesLeft: number;
  /** Why it could not go on by itself. */
  failed?: string;
}

export interface Parked {
  record: ParkedRun;
  session: SessionRecord;
  /** A living glassbox waits for its moment; otherwise a server does, where one runs. */
  isAwaited?: boolean;
}

type Reader = Pick<Store, 'location' | 'session'>;

/** So long after the end of its limit it still counts, when nobody said anything. */
const LONGEST_MS = 7 * 24 * 3_600_000;

/** Those that have not gone on since, by whoever's hand; others are forgotten. */
export async function listParked(
  store: Reader,
  { dir = parkingDirectory(), now = Date.now() }: { dir?: string; now?: number } = {},
): Promise<Parked[]> {
  const found: Parked[] = [];
  for (const record of await readAllParked(dir)) {
    if (record.store !== store.location) continue;
    const session = await store.session(record.runId);
    const isStill = session?.runs.at(-1)?.runId === record.runId && dueAt(record) > now - LONGEST_MS;
    // One whose end is not written yet is about to be.
    if (session && isStill)
      found.push({ record, session, isAwaited: (await claimant(dir, record.runId)) !== undefined });
    else if (session || record.parkedAt < now - SETTLED_MS) await removeParked(dir, record.runId);
  }
  return found.filter(({ session }) => session.state === 'ended');
}

/** A store that is behind has the run by then. */
const SETTLED_MS = 60_000;

/** Throws when it is not parked. */
export async function parkedSession(store: Reader, session: SessionRecord, dir?: string): Promise<Parked> {
  const found = (await listParked(store, { ...(dir !== undefined && { dir }) })).find(
    (one) => one.session.id === session.id,
  );
  if (found) return found;
  throw new GlassboxError(
    'conflict',
    `The session ${session.id} is not parked: no limit holds it up. Go on with: glassbox resume ${session.id} "…"`,
  );
}

/** When it is to go on. Gives the process that waits for it, if one does. */
export async function goOnAt(record: ParkedRun, at: number, dir: string = parkingDirectory()) {
  const { failed: _, ...rest } = record;
  writeParked(dir, { ...rest, timesLeft: Math.max(1, record.timesLeft), goesOnAt: at });
  return claimant(dir, record.runId);
}

/** Why it does not go on by itself, after it was to. */
export function giveUp(record: ParkedRun, why: string, dir: string = parkingDirectory()): void {
  const { goesOnAt: _, ...rest } = record;
  writeParked(dir, { ...rest, failed: why });
}

export async function neverGoOn({ runId }: ParkedRun, dir: string = parkingDirectory()): Promise<void> {
  await removeParked(dir, runId);
}

export function tellParked({ record, session }: Parked): ParkedSession {
  const { runId, agent, cwd, until, window, goesOnAt, timesLeft, failed } = record;
  return {
    ...{ session: session.id, runId, agent, title: session.title, until, timesLeft },
    ...(cwd !== undefined && { cwd }),
    ...(window !== undefined && { window }),
    ...(goesOnAt !== undefined && { goesOnAt }),
    ...(failed !== undefined && { failed }),
  };
}

/** What it says about what its session does. */
export function parkedEvidence({ record, isAwaited }: Parked): Evidence {
  const { parkedAt, window, goesOnAt, failed } = record;
  const limit = `stopped by a limit of the account${window === undefined ? '' : ` (${window})`}`;
  const next =
    failed !== undefined
      ? `does not go on by itself: ${failed}`
      : goesOnAt === undefined
        ? 'goes on when somebody says so'
        : isAwaited
          ? 'goes on by itself'
          : 'goes on by itself where glassbox serve runs';
  return { source: 'run', says: 'parked', at: parkedAt, until: dueAt(record), text: `${limit}; ${next}` };
}
