/** Of which files the agent told no edit: a command made them, or somebody else while it worked. */
import type { SessionState } from '../../../session/index.js';
import { toldEdits } from './recorded.js';
import type { ReviewFile } from './review-file.js';

/** Where it told none at all, that is said once, elsewhere. `isKnown`: all that it told is here. */
export function withHands(files: readonly ReviewFile[], state: SessionState, isKnown: boolean): readonly ReviewFile[] {
  if (!isKnown || state.changes.count === 0) return files;
  const isTold = toldEdits(state);
  return files.map((file) => (isTold(file.path) ? file : withHand(file)));
}

const hands = new WeakMap<ReviewFile, ReviewFile>();

/** The same object each time, so that its rows are made once. */
function withHand(file: ReviewFile): ReviewFile {
  const known = hands.get(file);
  if (known) return known;
  const remark = 'The agent told no edit of it: a command made it, or somebody else at that time.';
  const made = { ...file, remarks: [...file.remarks, remark] };
  hands.set(file, made);
  return made;
}
