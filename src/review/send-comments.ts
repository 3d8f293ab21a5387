/** The pending comments of a session go to its agent as one message: none is lost, and none is sent twice. */
import { GlassboxError } from '../event/index.js';
import { redactText } from '../run/index.js';
import type { ReviewComment } from './comment.js';
import { readComments } from './comment-files.js';
import { beginDelivery, type DeliveryOptions } from './delivery.js';
import type { ReadableStore } from './folder-time.js';
import { reviewMessage } from './review-message.js';

export interface Sent<Told> {
  comments: ReviewComment[];
  /** What telling came to. */
  told: Told;
}

/**
 * `ids`: those that the person saw. `tell` brings the message to the agent, and throws when the agent did not hear it: then everything is pending again. Where
 * it starts an agent with it, it waits for `begins` in the last moment before (`beforeStart` of a run).
 */
export async function sendComments<Told>(
  store: ReadableStore,
  session: { id: string; runs: readonly { runId: string }[] },
  ids: readonly string[],
  tell: (message: string, begins: () => Promise<void>) => Promise<Told>,
  options: DeliveryOptions = {},
): Promise<Sent<Told>> {
  const delivery = await beginDelivery(store, session, options);
  try {
    const wanted = new Set(ids);
    const all = await readComments(session.runs, options.dir);
    const comments = all.filter(({ id, sentAt }) => wanted.has(id) && sentAt === undefined);
    if (comments.length === 0)
      throw new GlassboxError('conflict', 'Nothing was sent: these comments were sent already, or taken away.');
    const message = redactText(reviewMessage(comments));
    await delivery.isToSay(message, comments);
    const told = await tell(message, delivery.begins);
    await delivery.wasSaid();
    return { comments, told };
  } catch (error) {
    await delivery.giveUp();
    throw error;
  }
}
