/** What the end of a conversation says of its session, once it is known whose processes could be at work for it. */
import type { Evidence } from '../presence/index.js';
import { kinOf, type Processes } from './family.js';
import type { ProcessSeen } from './process-list.js';
import type { OpenCall, TranscriptEnd } from './transcript-end.js';

/** Between a call on disk and the process that it starts lies less than this, on a machine that is busy too. */
const HANDS_MS = 1500;
/** What is on disk may have happened a moment later than its time says. */
const SLACK_MS = 100;

export function transcriptEvidence(
  { path, turn, at = 0, calls }: TranscriptEnd,
  holders: readonly ProcessSeen[],
  processes: Processes | undefined,
  now: number,
): Evidence[] {
  if (turn === undefined) return [];
  const told = { source: 'transcript', at } as const;
  if (turn === 'over') return [{ ...told, says: 'idle', text: `${path} ends with a turn that is over` }];
  const call = calls.at(-1);
  if (!call) return [{ ...told, says: 'working', text: `${path} ends within a turn` }];
  const what = call.summary === '' ? call.name : `${call.name}: ${call.summary}`;
  if (isStuck(calls, holders, processes, now)) {
    const text = `${path} ends with a call that has no result, and nothing runs for it: ${what}`;
    return [{ ...told, says: 'waiting', for: { kind: 'approval', text: what }, text }];
  }
  return [{ ...told, says: 'working', text: `${path} ends with a call that has no result yet: ${what}` }];
}

/**
 * Commands run as processes, and files are changed at once. When such calls have no result and no process began since, nobody has allowed
 * them yet. Of other calls nothing can be said: they may take their time within the agent.
 */
function isStuck(
  calls: readonly OpenCall[],
  holders: readonly ProcessSeen[],
  processes: Processes | undefined,
  now: number,
): boolean {
  if (!processes || holders.length === 0) return false;
  const since = Math.max(...calls.map(({ at }) => at));
  if (now - since < HANDS_MS || !calls.every(({ kind }) => NEEDS_HANDS.has(kind))) return false;
  return !kinOf(holders, processes).some(({ began }) => began > Math.min(...calls.map(({ at }) => at)) - SLACK_MS);
}

const NEEDS_HANDS: ReadonlySet<OpenCall['kind']> = new Set(['execute', 'edit', 'delete', 'move'] as const);
