/** What git says about files that an agent wants to change: work that is in no commit, and files that git does not keep. */
import { checkpointDirectory, uncommittedAmong } from '../checkpoint/index.js';
import type { Around } from '../consent/index.js';

const PATIENCE_MS = 3000;
/** More are no help to anybody. */
const MOST_FILES = 50;

/** Nothing where there is no git, no repository or no answer in time. */
export async function treeFacts(directory: string, files: readonly string[]): Promise<Around> {
  const asked = files.slice(0, MOST_FILES);
  if (asked.length === 0) return {};
  const { uncommitted = [], ignored = [] } =
    (await uncommittedAmong(directory, asked, { dir: checkpointDirectory(), timeoutMs: PATIENCE_MS }).catch(
      () => undefined,
    )) ?? {};
  return { ...(ignored.length > 0 && { ignored }), ...(uncommitted.length > 0 && { uncommitted }) };
}
