/** The door of the checkpoints: files as they were before and after each turn, and back to one of them. */

export { refuseWhileAtWork } from './at-work.js';
export { type BroughtOver, bringOver, type DifferenceSize, differenceSize, keepMoment } from './bring-over.js';
export { changeLines, type FileLines } from './change-lines.js';
export type {
  Checkpoint,
  ConversationBack,
  FileCommit,
  LeftFile,
  LineCount,
  RewindFile,
  RewindPlan,
  Rewound,
  RunCheckpoints,
  SessionChanges,
  SessionFile,
  SkippedFile,
  SkipReason,
  TurnChange,
} from './checkpoint.js';
export { type ConversationPlace, placeToGoOn } from './conversation-place.js';
export { checkpointDirectory } from './directory.js';
export { type FileVersions, fileVersions } from './file-versions.js';
export { forgetRefs, forgetSessions } from './forget.js';
export { gitText, tryGit } from './git.js';
export { goBack, type PreparedWayBack, planWayBack, type WayBackChoice } from './go-back.js';
export { keepFiles } from './keep-files.js';
export { type KeptMoment, momentsIn, rewindsIn } from './moments.js';
export { putFiles, treeOf } from './put-files.js';
export { finishRewinds, latestRewind, type RewindChoice, rewind, undoRewind } from './rewind.js';
export {
  checkpointAt,
  hunksOf,
  type PreparedChange,
  type PreparedRewind,
  planRewind,
  type RewindWish,
  textsOf,
} from './rewind-plan.js';
export { sessionChanges } from './session-changes.js';
export { findTurns, type TurnFiles, turnChanges } from './session-turns.js';
export { findStretch, type Stretch } from './stretch.js';
export { take } from './take.js';
export { type Uncommitted, uncommittedAmong } from './uncommitted.js';
export { findWorkTree, replaceFile, type WorkTree } from './work-tree.js';
