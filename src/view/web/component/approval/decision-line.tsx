/** Who or what allowed or refused a call, and what was changed before. */

import { changeTexts, decisionText, saidText } from '../../../../consent/index.js';
import type { Approval } from '../../../../session/index.js';
import { visible } from '../../text/visible.js';

export function DecisionLine({ approval: { request, resolution } }: { approval: Approval }) {
  if (resolution === undefined) return null;
  const said = saidText(request, resolution);
  const changes = changeTexts(resolution.changes ?? {});
  return (
    <div class="quiet-line">
      <p>{visible(said === '' ? decisionText(resolution) : `${decisionText(resolution)}: ${said}`)}</p>
      {changes.map((change, index) => (
        <p key={index}>{visible(change)}</p>
      ))}
    </div>
  );
}
