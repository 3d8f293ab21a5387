/** Things that happened beside the conversation: most in one quiet line, errors with what to do about them. */
import type { ShownEvent } from '../../../../session/index.js';
import { capitalised, eventText } from '../../../../word/index.js';
import { visible } from '../../text/visible.js';
import { Markdown } from '../part/markdown.js';
import { ErrorNotice } from './error-notice.js';

export function EventLine({ event }: { event: ShownEvent }) {
  if (event.type === 'agent-error') return <ErrorNotice error={event} />;
  if (event.type === 'plan-mode' && event.plan) {
    return (
      <section class="plan" aria-label="Plan">
        <h2>Plan</h2>
        <Markdown text={event.plan} />
      </section>
    );
  }
  const text = textOf(event);
  return text === '' ? null : <p class={`quiet-line ${isLoud(event) ? 'warning-text' : ''}`}>{visible(text)}</p>;
}

function isLoud(event: ShownEvent): boolean {
  return event.type === 'gap' || event.type === 'warning' || event.type === 'permission-deny';
}

function textOf(event: ShownEvent): string {
  // Its code says nothing to a person.
  if (event.type === 'status' && !event.text) return '';
  const more = event.type === 'permission-deny' && event.message ? `: ${event.message}` : '';
  return capitalised(eventText(event)) + more;
}
