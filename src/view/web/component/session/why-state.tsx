/** What the session does and how that is known: asked anew whenever it is opened or something changed. */
import { CircleHelp } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { Evidence, Presence } from '../../../../client/index.js';
import { duration } from '../../../../word/index.js';
import { client } from '../../state/server.js';
import { useAnswer } from '../../state/use-answer.js';
import { visible } from '../../text/visible.js';
import { Menu } from '../part/menu.js';

export function WhyState({ session, presence }: { session: string; presence: Presence | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const answer = useAnswer(
    async () => (isOpen ? (await client.session(session)).presence : undefined),
    [isOpen, session, presence?.state, presence?.since],
  );
  const found = answer.phase === 'ready' ? answer.value : undefined;
  return (
    <Menu label="Why this state" icon={<CircleHelp size={18} aria-hidden="true" />} onToggle={setOpen}>
      <section class="why" aria-label="Why this state">
        {answer.phase === 'failed' ? (
          <p class="error-text">{answer.problem}</p>
        ) : (
          isOpen && <Why {...(found ?? presence ?? NOTHING)} />
        )}
      </section>
    </Menu>
  );
}

const NOTHING: Presence = { state: 'unknown', because: [], against: [] };

function Why({ state, since, for: awaited, because, against }: Presence) {
  const now = Date.now();
  return (
    <>
      <p>
        <strong>{state}</strong>
        {since !== undefined && state !== 'unknown' && ` for ${duration(Math.max(0, now - since))}`}
        {awaited && `: ${visible(awaited.text)}`}
      </p>
      {because.length + against.length === 0 && <p class="faint">Nobody says anything about it.</p>}
      <EvidenceList evidence={because} now={now} />
      {against.length > 0 && <p>Against it:</p>}
      <EvidenceList evidence={against} now={now} />
    </>
  );
}

function EvidenceList({ evidence, now }: { evidence: readonly Evidence[]; now: number }) {
  return (
    <ul>
      {evidence.map(({ source, says, at, text }) => (
        <li key={`${source} ${says} ${at} ${text}`}>
          <strong>{source}</strong>: {says}, {duration(Math.max(0, now - at))} ago
          <span class="faint">{visible(text)}</span>
        </li>
      ))}
    </ul>
  );
}
