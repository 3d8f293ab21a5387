/** A hook that did not go well. */
import { withoutColours } from '../../../../event/index.js';
import type { Hook } from '../../../../session/index.js';
import { visible } from '../../text/visible.js';

export function HookLine({ hook: { end } }: { hook: Hook }) {
  if (end === undefined) return null;
  return (
    <p class="quiet-line warning-text">
      {visible(`Hook ${end.name} ${end.outcome}${end.output ? `: ${withoutColours(end.output)}` : ''}`)}
    </p>
  );
}
