/** A failure, in the agent's words, with the next step. */
import { TriangleAlert } from 'lucide-preact';
import type { ErrorFacts } from '../../../../event/index.js';
import { visible } from '../../text/visible.js';

export function ErrorNotice({ error: { message, hint, category } }: { error: ErrorFacts }) {
  const next = hint ?? NEXT[category];
  return (
    <div class="error-notice" role="note">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <p>{visible(message)}</p>
        {next && <p class="faint">{visible(next)}</p>}
      </div>
    </div>
  );
}

/** Where the agent gives no advice of its own. */
const NEXT: Partial<Record<ErrorFacts['category'], string>> = {
  auth: 'Log the agent in from a terminal, then say it again.',
  billing: 'Check the account of the agent’s provider.',
  'rate-limit': 'Wait a while, then continue the session below.',
  overloaded: 'The provider is busy. Continue the session in a while.',
  network: 'Check the connection, then continue the session below.',
  'context-limit': 'Start a new session, or ask for a summary first.',
  'model-not-found': 'Choose another model.',
};
