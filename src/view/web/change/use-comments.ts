/** The comments of a session, as the server keeps them, and what can be done with them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommentRecord } from '../../../client/index.js';
import { counted } from '../../../word/index.js';
import { client, messageOf } from '../state/server.js';
import type { Draft, Drafts } from './drafts.js';

export interface Comments {
  all: readonly CommentRecord[];
  pending: readonly CommentRecord[];
  problem: string;
  /** What was done last. */
  done: string;
  isBusy: boolean;
  save(draft: Draft, text: string): Promise<void>;
  remove(comment: CommentRecord): Promise<void>;
  send(): Promise<void>;
}

/** `look`: another value looks again; `isWanted`: nothing is asked for otherwise. */
export function useComments(session: string, look: string, isWanted: boolean, drafts: Drafts): Comments {
  const [all, setAll] = useState<readonly CommentRecord[]>([]);
  const [problem, setProblem] = useState('');
  const [done, setDone] = useState('');
  const [isBusy, setBusy] = useState(false);
  const asked = useRef(0);
  // What was asked for earlier and comes later is older: it would bring back what was deleted meanwhile.
  const read = async () => {
    asked.current += 1;
    const own = asked.current;
    const known = await client.comments(session);
    if (own === asked.current) setAll(known);
  };
  useEffect(() => {
    if (isWanted) read().catch((error: unknown) => setProblem(messageOf(error)));
  }, [session, look, isWanted]);
  const act = async (what: () => Promise<string | undefined>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem('');
    try {
      setDone((await what()) ?? '');
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      await read().catch(() => undefined);
      setBusy(false);
    }
  };
  const pending = all.filter(({ sentAt }) => sentAt === undefined);
  return {
    all,
    pending,
    problem,
    done,
    isBusy,
    save: ({ key, comment, path, side, start, end, quote, turn }, text) =>
      act(async () => {
        if (comment !== undefined) await client.changeComment(session, comment, { text });
        else
          await client.comment(session, { path, side, start, end, quote, text, ...(turn !== undefined && { turn }) });
        drafts.close(key);
        return undefined;
      }),
    remove: ({ id }) =>
      act(async () => {
        await client.removeComment(session, id);
        return 'The comment is gone.';
      }),
    send: () =>
      act(async () => {
        const { count } = await client.sendComments(session, { comments: pending.map(({ id }) => id) });
        return `${counted(count, 'comment')} sent. The agent works at it.`;
      }),
  };
}
