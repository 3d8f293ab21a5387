/**
 * What people tell a run of this worker, without what would let its agent do more unasked than the worker's own file allows: an answer "always" may
 * change the agent's permission, and the hub that passes it on may be somebody else's.
 */
import type { AgentEvent, Instruction, Permission, Reception } from '../event/index.js';
import type { RunKeeper } from '../store/index.js';
import { isAbove } from './permission-ladder.js';

type ApprovalRequest = Extract<AgentEvent, { type: 'approval-request' }>;

export interface CeilingOptions {
  ceiling: Permission;
  /** The questions of the run that wait. */
  pending(): readonly ApprovalRequest[];
}

export function withinCeiling(store: RunKeeper, { ceiling, pending }: CeilingOptions): RunKeeper {
  return {
    ...store,
    async *instructions(runId, options) {
      for await (const told of store.instructions(runId, options)) {
        const wanted = modeIn(told.instruction, pending()).find((mode) => isAbove(mode, ceiling));
        if (wanted === undefined) yield told;
        else await store.acknowledge(runId, told.id, refusal(wanted, ceiling));
      }
    },
  };
}

/** What an agent would be allowed from then on. */
function modeIn(instruction: Instruction, questions: readonly ApprovalRequest[]): string[] {
  if (instruction.type !== 'answer' || instruction.answer.type !== 'approve') return [];
  const { suggestions = [] } = questions.find(({ id }) => id === instruction.approval) ?? {};
  const remembered = (instruction.answer.remember ?? []).map((position) => suggestions[position]);
  return remembered.flatMap((one) => (one?.allows === 'mode' ? one.what : []));
}

function refusal(wanted: string, ceiling: Permission): Reception {
  const reason = `The worker allows ${ceiling} at most, and not ${wanted}. Allow it this once.`;
  return { outcome: 'refused', code: 'forbidden', reason };
}
