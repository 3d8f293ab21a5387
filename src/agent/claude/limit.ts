/** How far the account is used up. */
import { defined, type LimitState, type LimitWindow } from '../../event/index.js';
import type { Note } from '../chronicle/chronicle.js';
import { type Json, lookUp, number, object, string } from '../field.js';

export function readRateLimit(line: Json): Note {
  const info = object(line.rate_limit_info) ?? {};
  const windows = Object.entries(object(info.unifiedWindows) ?? {}).map(([name, value]): LimitWindow => {
    const { utilization, resetsAt, status } = object(value) ?? {};
    return defined({
      name,
      utilization: number(utilization),
      resetsAt: milliseconds(resetsAt),
      state: lookUp(LIMIT_STATES, string(status)),
    });
  });
  return {
    type: 'rate-limit',
    state: lookUp(LIMIT_STATES, string(info.status)) ?? 'unknown',
    resetsAt: milliseconds(info.resetsAt),
    window: string(info.rateLimitType),
    utilization: number(info.utilization),
    windows: windows.length > 0 ? windows : undefined,
  };
}

/** The plan is used up and what comes is paid for; nothing else in the stream says so. */
export const paysExtra = (line: Json): boolean => object(line.rate_limit_info)?.isUsingOverage === true;

export const OVERAGE: Note = {
  type: 'status',
  code: 'overage',
  text: 'Beyond the plan: what is used now is paid for.',
  level: 'warning',
};

const LIMIT_STATES: Record<string, LimitState> = {
  allowed: 'allowed',
  allowed_warning: 'warning',
  rejected: 'rejected',
};

function milliseconds(seconds: unknown): number | undefined {
  const told = number(seconds);
  return told === undefined ? undefined : told * 1000;
}
