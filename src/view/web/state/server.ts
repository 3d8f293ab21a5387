/** The page's one connection to the server it came from; the browser's cookie says who asks. */
import { ClientError, createClient } from '../../../client/index.js';

export const client = createClient();

/** The server does not know this browser, or no longer does. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof ClientError && error.status === 401;
}

/** What a person may read about a failed request. */
export function messageOf(error: unknown): string {
  if (error instanceof ClientError) return error.message;
  return 'The server does not answer. Is glassbox still running?';
}
