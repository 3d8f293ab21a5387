/** What became of a question, where no tool card tells it. */
import type { Approval } from '../../../session/index.js';
import { visible } from '../text/visible.js';

const WORDS: Record<Approval['status'], string> = {
  pending: 'Waiting for you',
  allowed: 'Allowed',
  denied: 'Denied',
  answered: 'Answered',
  withdrawn: 'No longer asked',
};

const DECIDERS = { person: '', rule: ' by a rule', timeout: ' because nobody answered' };

export function ApprovalLine({ approval: { status, request, resolution } }: { approval: Approval }) {
  const about = request.questions?.[0]?.question ?? request.toolName ?? request.title ?? request.kind;
  const by = resolution ? DECIDERS[resolution.by] : '';
  return (
    <p class="quiet-line">
      {visible(`${WORDS[status]}${by}: ${about}${resolution?.message ? ` (${resolution.message})` : ''}`)}
    </p>
  );
}
