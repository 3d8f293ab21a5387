/** The part of the client that is about reviews: who made changes, and comments on their lines. */
import { type OptionNames, refuseUnknown } from '../event/option.js';
import type {
  ChangeLinesQuery,
  ChangeMakers,
  CommentChange,
  CommentRecord,
  CommentRequest,
  CommentsSent,
  SendCommentsRequest,
} from './api.js';
import type { Ways } from './fleet-client.js';
import { refuseInsideRun } from './inside-run.js';
import { CHANGE_LINES_NAMES } from './known-option.js';

export interface ReviewClient {
  /** Who made the parts of the lines that `changeLines` gives. */
  changeMakers(session: string, query?: ChangeLinesQuery): Promise<ChangeMakers>;
  /** What people said to lines of a session's changes, the oldest first. */
  comments(session: string): Promise<CommentRecord[]>;
  /** Keeps a comment until it is sent. */
  comment(session: string, request: CommentRequest): Promise<CommentRecord>;
  /** Only while it is not sent. */
  changeComment(session: string, comment: string, change: CommentChange): Promise<CommentRecord>;
  removeComment(session: string, comment: string): Promise<void>;
  /** Sends these as one message: the running agent hears it, or the session goes on with it. */
  sendComments(session: string, request: SendCommentsRequest): Promise<CommentsSent>;
}

export function createReviewClient({ get, post, patch, remove }: Ways): ReviewClient {
  const comments = (session: string): string => `/api/sessions/${encodeURIComponent(session)}/comments`;
  const one = (session: string, id: string): string => `${comments(session)}/${encodeURIComponent(id)}`;
  return {
    async changeMakers(session, query = {}) {
      refuseUnknown('changeMakers', query, CHANGE_LINES_NAMES);
      return get(`/api/sessions/${encodeURIComponent(session)}/changes/makers`, query);
    },
    comments: (session) => get(comments(session)),
    async comment(session, request) {
      refuseUnknown('comment', request, COMMENT_NAMES);
      refuseInsideRun();
      return post(comments(session), request);
    },
    async changeComment(session, id, change) {
      refuseUnknown('changeComment', change, { text: true });
      refuseInsideRun();
      return patch(one(session, id), change);
    },
    async removeComment(session, id) {
      refuseInsideRun();
      await remove(one(session, id));
    },
    async sendComments(session, request) {
      refuseUnknown('sendComments', request, { comments: true });
      refuseInsideRun();
      return post(`${comments(session)}/send`, request);
    },
  };
}

const COMMENT_NAMES: OptionNames<CommentRequest> = {
  path: true,
  side: true,
  start: true,
  end: true,
  quote: true,
  text: true,
  turn: true,
};
