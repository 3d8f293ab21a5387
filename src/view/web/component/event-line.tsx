/** Things that happened beside the conversation: most in one quiet line, errors with what to do about them. */
import type { ShownEvent } from '../../../session/index.js';
import { compact, count, duration } from '../text/format.js';
import { visible } from '../text/visible.js';
import { ErrorNotice } from './error-notice.js';
import { Markdown } from './markdown.js';

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
  switch (event.type) {
    case 'retry':
      return `Trying again${event.attempt ? ` (${event.attempt}${event.maxAttempts ? ` of ${event.maxAttempts}` : ''})` : ''}${event.delayMs ? ` in ${duration(event.delayMs)}` : ''}${event.why ? `: ${event.why}` : ''}`;
    case 'rate-limit':
      return `${event.state === 'rejected' ? 'The limit of the account is reached' : 'The limit of the account is near'}${event.resetsAt ? `, until ${new Date(event.resetsAt).toLocaleTimeString([], { timeStyle: 'short' })}` : ''}`;
    case 'compaction-end':
      return `Conversation compacted${event.tokensBefore && event.tokensAfter ? ` from ${compact(event.tokensBefore)} to ${compact(event.tokensAfter)} tokens` : ''}`;
    case 'status':
      return event.text ?? '';
    case 'plan-mode':
      return event.state === 'enter' ? 'Planning' : event.state === 'exit' ? 'Back to work' : '';
    case 'permission-deny':
      return `${event.toolName} was not allowed${event.message ? `: ${event.message}` : ''}`;
    case 'decode-error':
      return `A line of the agent could not be read (${count(event.bytes, 'byte')})`;
    case 'warning':
      return event.message;
    case 'gap':
      return `${count(event.to - event.from + 1, 'event')} missing here: ${event.why}`;
    default:
      return '';
  }
}
