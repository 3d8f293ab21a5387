/** The end of a run that did not simply finish. */
import type { Run } from '../../../../session/index.js';
import { runEndText } from '../../../../word/index.js';
import { visible } from '../../text/visible.js';
import { ErrorNotice } from './error-notice.js';

export function RunLine({ run: { end } }: { run: Run }) {
  if (end === undefined) return null;
  const isCalm = end.reason === 'cancelled';
  return (
    <>
      {end.error && !isCalm && <ErrorNotice error={end.error} />}
      <p class={isCalm || end.error ? 'quiet-line' : 'quiet-line warning-text'}>
        {visible(runEndText(end, end.detail))}
      </p>
    </>
  );
}
