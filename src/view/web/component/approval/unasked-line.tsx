/** A call about which nobody was asked says so, with the permission under which its run was started. */
import { useStore } from '@nanostores/preact';
import { rowAt, type SessionState, type Tool } from '../../../../session/index.js';
import { $open } from '../../state/open-session.js';
import { $sessions } from '../../state/sessions.js';
import { PERMISSION_WORDS } from '../../text/permission.js';

/** Nothing where glassbox did not start the run: there somebody else may have been asked. */
export function UnaskedLine({ tool, state }: { tool: Tool; state: SessionState | undefined }) {
  const id = useStore($open)?.id ?? '';
  const session = useStore($sessions, { keys: [id] })[id];
  const runId = state && rowAt(state.runs, tool.run)?.runId;
  const terms = session?.runs.find((run) => run.runId === runId)?.terms;
  const hasRun = tool.status === 'ok' || tool.status === 'failed' || tool.status === 'running';
  if (terms === undefined || !hasRun || tool.denial !== undefined) return null;
  const under = terms.permission ? ` (permission at start: ${PERMISSION_WORDS[terms.permission]})` : '';
  return <p class="quiet-line">Nobody was asked{under}</p>;
}
