/** How far accounts are used up, as their agents told it; a window that is over tells nothing any more. */

import { formatAgo } from '../../../client/moment.js';
import type { AgentLimit } from '../../../store/index.js';
import { safeLine } from '../../../view/text/safe.js';
import { duration, limitName } from '../../../word/index.js';
import type { Cell } from '../../print/table.js';

export function openLimits(limits: readonly AgentLimit[], now = Date.now()): AgentLimit[] {
  return limits.filter(({ resetsAt = Number.POSITIVE_INFINITY }) => resetsAt > now);
}

export function limitRows(limits: readonly AgentLimit[], now = Date.now()): Cell[][] {
  return openLimits(limits, now).map(({ agent, name, utilization, state, resetsAt, at }) => [
    { text: `${safeLine(agent, 16)} ${safeLine(limitName(name), 16)}`, style: 'quiet' },
    { text: usedText(utilization, state), right: true, ...(state === 'rejected' && { style: 'error' as const }) },
    {
      text: [
        ...(resetsAt === undefined ? [] : [`resets in ${duration(resetsAt - now)}`]),
        `told ${formatAgo(at, now)}`,
      ].join(', '),
      style: 'quiet',
    },
  ]);
}

function usedText(utilization: number | undefined, state: AgentLimit['state']): string {
  const used = utilization === undefined ? undefined : `${Math.round(utilization * 100)} % used`;
  return used ?? (state === 'rejected' ? 'used up' : (state ?? 'unknown'));
}
