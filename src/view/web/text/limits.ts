/** How far the account is used up, at a glance. */
import type { LimitWindow } from '../../../event/index.js';

/** `limits: five hour 12 %, seven day 40 %`; a window that has ended since says nothing any more. */
export function limitsText(windows: readonly LimitWindow[], now: number): string {
  const known = windows.flatMap(({ name, utilization, resetsAt }) => {
    if (utilization === undefined || (resetsAt !== undefined && resetsAt <= now)) return [];
    return [`${name.replaceAll('_', ' ')} ${Math.round(utilization * 100)} %`];
  });
  return known.length === 0 ? '' : `limits: ${known.join(', ')}`;
}
