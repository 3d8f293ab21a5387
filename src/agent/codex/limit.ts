/** How far the account is used up: the app-server and the files of a session say the same in two spellings. */
import { defined, type LimitWindow } from '../../event/index.js';
import type { Note } from '../chronicle/chronicle.js';
import { isObject, type Json, members, number, string } from '../field.js';

/** Absent when there is nothing to tell: with a key of one's own all windows are null. */
export function readLimits(value: unknown): Note | undefined {
  const limits = members(value);
  const name = string(limits.limitName) ?? string(limits.limit_name);
  const windows = [limits.primary, limits.secondary].filter(isObject).map((window) => windowOf(window, name));
  const isReached = string(limits.rateLimitReachedType ?? limits.rate_limit_reached_type) !== undefined;
  if (windows.length === 0 && !isReached) return undefined;
  if (!isReached) return { type: 'rate-limit', state: 'allowed', windows };
  const [fullest] = windows.toSorted((a, b) => (b.utilization ?? 0) - (a.utilization ?? 0));
  const { name: window, resetsAt, utilization } = fullest ?? {};
  return { type: 'rate-limit', state: 'rejected', window, resetsAt, utilization, windows };
}

/** Models with a limit of their own have a name in front. */
function windowOf(window: Json, limitName: string | undefined): LimitWindow {
  const used = number(window.usedPercent ?? window.used_percent);
  const minutes = number(window.windowDurationMins ?? window.window_minutes);
  const resetsAt = number(window.resetsAt ?? window.resets_at);
  const span =
    minutes === 300
      ? 'five_hour'
      : minutes === 10_080
        ? 'seven_day'
        : minutes === undefined
          ? 'window'
          : `${minutes} min`;
  return defined({
    name: limitName === undefined ? span : `${limitName} ${span}`,
    utilization: used === undefined ? undefined : used / 100,
    resetsAt: resetsAt === undefined ? undefined : resetsAt * 1000,
  });
}
