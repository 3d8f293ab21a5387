/** What became of a question, where no tool card tells it. */

import { decisionText, saidText } from '../../../../consent/index.js';
import type { Approval } from '../../../../session/index.js';
import { visible } from '../../text/visible.js';

export function ApprovalLine({ approval: { status, request, resolution } }: { approval: Approval }) {
  const asked = request.questions?.map(({ question }) => question).join(' · ');
  const about = asked || (request.toolName ?? request.title ?? request.kind);
  const words = resolution ? decisionText(resolution) : status === 'pending' ? 'Waiting for you' : 'No longer asked';
  const said = resolution ? saidText(request, resolution) : '';
  return (
    <div class="quiet-line">
      <p>{visible(`${words}: ${about}`)}</p>
      {said !== '' && <p>{visible(said)}</p>}
    </div>
  );
}
