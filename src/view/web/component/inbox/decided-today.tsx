/** What was decided today: by whom or by which rule, with what was said. Equal ones in a row are one line. */
import { useStore } from '@nanostores/preact';
import { useState } from 'preact/hooks';
import type { DecisionRecord } from '../../../../client/index.js';
import { changeTexts, decisionText, lineFor, saidText } from '../../../../consent/index.js';
import { placePath } from '../../state/route.js';
import { client } from '../../state/server.js';
import { useAnswer } from '../../state/use-answer.js';
import { $askedVersion } from '../../state/waiting.js';
import { visible } from '../../text/visible.js';

const FIRST = 12;

export function DecidedToday() {
  const version = useStore($askedVersion);
  const [limit, setLimit] = useState(FIRST);
  // Asked again whenever a question came or went.
  const decided = useAnswer(() => client.decisions({ since: midnight() }), [version], { keepsLast: true });
  const lines = grouped(decided.phase === 'ready' ? decided.value : []);
  if (lines.length === 0) return null;
  return (
    <section class="decided" aria-labelledby="decided-title">
      <h2 id="decided-title">Decided today</h2>
      <ul>
        {lines.slice(0, limit).map(({ record, times }) => (
          <Decision key={`${record.runId} ${record.request.id}`} record={record} times={times} />
        ))}
      </ul>
      {lines.length > limit && (
        <button type="button" class="button quiet" onClick={() => setLimit(lines.length)}>
          {lines.length - limit} more
        </button>
      )}
    </section>
  );
}

function Decision({ record, times }: { record: DecisionRecord; times: number }) {
  const { session, runId, request, resolution } = record;
  const said = [saidText(request, resolution), ...changeTexts(resolution.changes ?? {})].filter(Boolean).join(' · ');
  const time = new Date(resolution.at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  return (
    <li class={`decided-${resolution.decision}`}>
      <time dateTime={new Date(resolution.at).toISOString()}>{time}</time>
      <div>
        <a class="cut" href={placePath(session, { runId, seq: request.seq, words: [] })}>
          {visible(lineFor(request))}
        </a>
        <p class="faint">
          {visible(decisionText(resolution))} · {session}
          {times > 1 && ` · × ${times}`}
        </p>
        {said !== '' && <p class="decided-said">{visible(said)}</p>}
      </div>
    </li>
  );
}

function grouped(records: readonly DecisionRecord[]): { record: DecisionRecord; times: number }[] {
  const lines: { record: DecisionRecord; times: number; text: string }[] = [];
  for (const record of records) {
    const { request, resolution, session } = record;
    const text = [session, lineFor(request), decisionText(resolution), saidText(request, resolution)].join('\n');
    const last = lines.at(-1);
    if (last?.text === text) last.times += 1;
    else lines.push({ record, times: 1, text });
  }
  return lines;
}

function midnight(): number {
  return new Date().setHours(0, 0, 0, 0);
}
