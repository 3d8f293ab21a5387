/** An agent that a limit of the account stops, in the words of the one that the fake agent stands for. */
import { init, result, type Step } from '../fake-agent/lines.js';

/** `until` in ms since the epoch. */
export function limited(until: number | undefined, facts: { status?: string } = {}): Step[] {
  const { status = 'rejected' } = facts;
  const info = { status, rateLimitType: 'five_hour', ...(until !== undefined && { resetsAt: until / 1000 }) };
  return [
    init(),
    { say: { type: 'rate_limit_event', rate_limit_info: info } },
    result('You have hit your limit', { is_error: true, terminal_reason: 'api_error', api_error_status: 429 }),
  ];
}
