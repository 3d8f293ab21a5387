/** What was said to agents before, the latest first: the prompts of the sessions that the page knows. */
import type { SessionRecord } from '../../../client/index.js';

const MOST = 100;

/** What was kept with a hole in it is not offered: it would be sent with the hole. */
export function saidBefore(sessions: readonly SessionRecord[]): string[] {
  const runs = sessions.flatMap(({ runs: all }) => all).filter(({ terms }) => terms !== undefined);
  runs.sort((left, right) => right.startedAt - left.startedAt);
  const prompts = runs.flatMap(({ prompt }) => (prompt && !/\[redacted:|…$/.test(prompt) ? [prompt] : []));
  return [...new Set(prompts)].slice(0, MOST);
}
