/** A run that ends at a limit with a known end is parked, in the moment in which its end is told. */
import type { AgentEvent, Completion } from '../event/index.js';
import type { RunRequest } from '../run/index.js';
import { type ParkedRun, parkingDirectory, writeParked } from './record.js';

/** That it goes on by itself, and how often. */
export interface GoOn {
  /** So many limits are waited for. */
  times: number;
  /** How much later than the limit ends at most, so that not everybody comes at once. Default 5 minutes. */
  jitterMs?: number | undefined;
}

export interface ParkOptions {
  runId: string;
  agent: string;
  cwd?: string | undefined;
  request: Pick<RunRequest, 'budgetUsd' | 'budgetTokens'>;
  /** Which store keeps the run; it may still be being opened when the run has ended. Rejects when none does: then it cannot go on. */
  store: Promise<string>;
  /** Absent: only when a person says so. */
  goOn?: GoOn | undefined;
  dir?: string;
  random?: () => number;
}

export const DEFAULT_TIMES = 5;
const JITTER_MS = 300_000;
/** Clocks differ a little. */
const LEAST_SHARE = 0.2;

export interface Parking {
  /** To be called with each event of the run. */
  see(event: AgentEvent): void;
  /** Resolves when what was seen is written; never rejects. */
  done(): Promise<void>;
}

export function createParking({ store, dir = parkingDirectory(), ...options }: ParkOptions): Parking {
  let writing = Promise.resolve();
  // Whoever keeps the run tells of a store that fails.
  store.catch(() => {});
  return {
    see(event) {
      if (event.type !== 'run-end') return;
      const write = (location: string): void => {
        const record = parkedBy(event, event.at, { ...options, store: location });
        if (record) writeParked(dir, record);
      };
      // Without a store, or on a full disk, it is not parked, and has ended as it did.
      writing = store.then(write).catch(() => {});
    },
    done: () => writing,
  };
}

/** Undefined when it is not parked. */
export function parkedBy(
  completion: Completion,
  at: number,
  options: Omit<ParkOptions, 'store' | 'dir'> & { store: string },
): ParkedRun | undefined {
  const { runId, agent, cwd, request, store, goOn, random = Math.random } = options;
  const { parked, sessionId, cost, usage } = completion;
  if (!parked || sessionId === undefined) return undefined;
  const { until, window } = parked;
  const { inputTokens = 0, outputTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
  const budgetUsd = request.budgetUsd === undefined ? undefined : request.budgetUsd - (cost?.usd ?? 0);
  const budgetTokens =
    request.budgetTokens === undefined
      ? undefined
      : request.budgetTokens - inputTokens - outputTokens - cacheWriteTokens;
  const isSpent = [budgetUsd, budgetTokens].some((left) => left !== undefined && left <= 0);
  const share = LEAST_SHARE + (1 - LEAST_SHARE) * random();
  const goesOnAt = Math.max(until, at) + Math.round((goOn?.jitterMs ?? JITTER_MS) * share);
  return {
    ...{ runId, agent, agentSessionId: sessionId, store, parkedAt: at, until, timesLeft: goOn?.times ?? 0 },
    ...(cwd !== undefined && { cwd }),
    ...(window !== undefined && { window }),
    ...(goOn && goOn.times > 0 && !isSpent && { goesOnAt }),
    ...(goOn && goOn.times <= 0 && { failed: 'it has waited for as many limits as it may' }),
    ...(isSpent && { failed: 'its budget is used up' }),
    ...(budgetUsd !== undefined && { budgetUsd: Math.max(0, budgetUsd) }),
    ...(budgetTokens !== undefined && { budgetTokens: Math.max(0, budgetTokens) }),
  };
}
