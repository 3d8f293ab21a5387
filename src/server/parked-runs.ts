/** Parked sessions of this server's store: those that are due go on here, unless a living glassbox waits for them elsewhere. */
import type { ParkedSession, WentOn } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import {
  claim,
  claimant,
  giveUp,
  goOnAt,
  listParked,
  neverGoOn,
  parkedSession,
  parkingDirectory,
  tellParked,
} from '../parking/index.js';
import type { SessionRecord, Store } from '../store/index.js';
import type { OwnRuns, Started } from './own-runs.js';

export interface ParkedRuns {
  list(): Promise<ParkedSession[]>;
  /** At this moment, or now. Throws when it cannot go on, or is not parked. */
  goOn(session: SessionRecord, at: number | undefined, principal: string): Promise<WentOn>;
  never(session: SessionRecord): Promise<void>;
  close(): void;
}

export interface ParkedRunOptions {
  store: Store;
  runs: Pick<OwnRuns, 'goOn'>;
  /** Nothing is started here. */
  readOnly: boolean;
  log: (text: string) => void;
}

const LOOK_MS = 2000;

export function createParkedRuns({ store, runs, readOnly, log }: ParkedRunOptions): ParkedRuns {
  const dir = parkingDirectory();
  let isLooking = false;

  /** Those that are being started, by session: a claim keeps out other processes, and not who asks this one twice. */
  const starting = new Map<string, Promise<Started | undefined>>();

  /** Undefined when somebody else does it. */
  const start = ({ id }: SessionRecord, principal?: string): Promise<Started | undefined> => {
    const started = starting.get(id) ?? begin(id, principal).finally(() => starting.delete(id));
    starting.set(id, started);
    return started;
  };
  const begin = async (id: string, principal?: string): Promise<Started | undefined> => {
    const session = await store.session(id);
    if (!session) return undefined;
    const parked = await parkedSession(store, session);
    return (await claim(dir, parked.record.runId)) ? runs.goOn(parked, principal) : undefined;
  };

  const look = async (): Promise<void> => {
    for (const parked of await listParked(store)) {
      const { goesOnAt = Number.POSITIVE_INFINITY } = parked.record;
      if (goesOnAt > Date.now()) continue;
      await start(parked.session).catch((error: unknown) => {
        const why = error instanceof GlassboxError ? error.message : 'the server failed at it';
        giveUp(parked.record, why);
        log(`${parked.session.id} was to go on after its limit, and could not: ${why}`);
      });
    }
  };

  const lookOnce = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    // A store that fails is asked again.
    await look().catch(() => {});
    isLooking = false;
  };

  const timer = setInterval(() => void lookOnce(), LOOK_MS);
  timer.unref();
  if (readOnly) clearInterval(timer);

  return {
    list: async () => (await listParked(store)).map(tellParked),
    async goOn(session, at, principal) {
      const parked = await parkedSession(store, session);
      const when = at ?? Date.now();
      const isElsewhere = !starting.has(session.id) && (await claimant(dir, parked.record.runId));
      if (when > Date.now() || isElsewhere) {
        await goOnAt(parked.record, when);
        return { at: when };
      }
      const started = await start(session, principal);
      return { at: when, ...(started && { runId: started.runId }) };
    },
    async never(session) {
      await neverGoOn((await parkedSession(store, session)).record);
    },
    close: () => clearInterval(timer),
  };
}
