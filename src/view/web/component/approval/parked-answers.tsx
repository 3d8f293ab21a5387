/** What can be said of a session that a limit of the account stopped: that it goes on now, when the limit is over, or never. */
import type { ParkedSession } from '../../../../client/index.js';
import { duration, limitName } from '../../../../word/index.js';
import { client } from '../../state/server.js';

interface Props {
  limit: ParkedSession;
  isDisabled: boolean;
  /** Tells what was done, or why it could not be. */
  attempt: (act: () => Promise<unknown>, done: string) => void;
}

export function ParkedAnswers({ limit: { session, until, goesOnAt }, isDisabled, attempt }: Props) {
  const isOver = until <= Date.now();
  return (
    <>
      <button
        type="button"
        class="button primary"
        data-key="y"
        aria-keyshortcuts="y"
        disabled={isDisabled}
        onClick={() => attempt(() => client.goOn(session), 'Goes on, said by you')}
      >
        Go on now
      </button>
      {!isOver && goesOnAt === undefined && (
        <button
          type="button"
          class="button"
          data-key="a"
          aria-keyshortcuts="a"
          disabled={isDisabled}
          onClick={() =>
            attempt(() => client.goOn(session, { at: until + MARGIN_MS }), 'Goes on when its limit is over')
          }
        >
          When the limit is over
        </button>
      )}
      <button
        type="button"
        class="button danger"
        data-key="n"
        aria-keyshortcuts="n"
        disabled={isDisabled}
        onClick={() => attempt(() => client.neverGoOn(session), 'Does not go on, said by you')}
      >
        Never
      </button>
    </>
  );
}

/** Clocks differ a little. */
const MARGIN_MS = 60_000;

/** Which limit it is, when it ends and what then happens. */
export function limitText({ window = '', until, goesOnAt, failed }: ParkedSession, now: number): string {
  const inTime = (at: number) => (at > now ? `in ${duration(at - now)}` : 'now');
  const ends = until > now ? `ends ${inTime(until)}` : 'is over';
  const then =
    failed !== undefined
      ? `It does not go on by itself: ${failed}`
      : goesOnAt === undefined
        ? 'It goes on when you say so'
        : `It goes on by itself ${inTime(goesOnAt)}`;
  return `A limit of the account stopped it${window === '' ? '' : ` (${limitName(window)})`}, which ${ends}. ${then}.`;
}
