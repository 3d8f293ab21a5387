/** Back to a moment of a session: its files, and with all of them its conversation, where its agent can. One way for every view. */
import type { Rewound } from './checkpoint.js';
import { type Conversation, type FoundPlace, findPlace } from './conversation-place.js';
import { type RewindChoice, rewind } from './rewind.js';
import { type PreparedRewind, planRewind, type RewindWish } from './rewind-plan.js';
import type { TurnFiles } from './session-turns.js';

export interface PreparedWayBack extends PreparedRewind {
  conversation: FoundPlace;
}

export interface WayBackChoice extends RewindChoice {
  /** The conversation stays where it is, as it does when only some files go back. */
  filesOnly?: boolean | undefined;
}

/** Throws a `GlassboxError` that says why it cannot be gone back there. */
export async function planWayBack(
  turns: readonly TurnFiles[],
  wish: RewindWish,
  conversation: Conversation,
): Promise<PreparedWayBack> {
  const plan = await planRewind(turns, wish);
  return { ...plan, conversation: await findPlace(turns, wish, conversation) };
}

/** Does what such a plan shows, or a part of it. */
export async function goBack(plan: PreparedWayBack, session: string, choice: WayBackChoice = {}): Promise<Rewound> {
  const { turn, before } = plan;
  const { place, ...conversation } = plan.conversation;
  const { filesOnly, ...files } = choice;
  const isWhole = !filesOnly && files.paths === undefined && files.hunks === undefined;
  const to = `${before || turn === 0 ? 'before' : 'after'} turn ${Math.max(turn, 1)}`;
  const done = await rewind(plan, { session, to, ...(isWhole && place && { conversation: place }) }, files);
  return { ...done, ...(isWhole && { conversation }) };
}
