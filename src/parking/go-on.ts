/** Waits until a parked session may go on, and says with what. Whoever says now, later or never meanwhile is heard. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunRequest } from '../run/index.js';
import type { SessionRecord } from '../store/index.js';
import { type ParkedRun, readParked } from './record.js';

/** What the agent is told: its conversation has everything else. */
export const GO_ON_PROMPT = 'Go on where you stopped. A usage limit had ended your turn; it is over.';

export interface WaitOptions {
  dir: string;
  signal: AbortSignal;
  now?: () => number;
  /** Called about once a second. */
  onTick?: (record: ParkedRun) => void;
}

/** The record to go on with; undefined when it was given up, or went on elsewhere. Ends with the signal, too. */
export async function waitToGoOn(runId: string, options: WaitOptions): Promise<ParkedRun | undefined> {
  const { dir, signal, now = Date.now, onTick = () => {} } = options;
  while (!signal.aborted) {
    const record = await readParked(dir, runId);
    if (!record || record.goesOnAt === undefined) return undefined;
    if (record.goesOnAt <= now()) return record;
    onTick(record);
    await sleep(Math.min(LOOK_MS, record.goesOnAt - now()), undefined, { signal }).catch(() => {});
  }
  return undefined;
}

const LOOK_MS = 1000;

/** What its next run is to have, beside the terms of the last one. */
export function goOnRequest(record: ParkedRun, { runs }: Pick<SessionRecord, 'runs'>): Partial<RunRequest> {
  const { agentSessionId, budgetUsd, budgetTokens } = record;
  const balance = runs.at(-1)?.balance;
  return {
    resume: agentSessionId,
    prompt: GO_ON_PROMPT,
    ...(balance && { balance }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(budgetTokens !== undefined && { budgetTokens }),
  };
}
