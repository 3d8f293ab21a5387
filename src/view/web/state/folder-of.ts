/** The folder that a run of the open session works in: as its agent told, and else as it was started. */
import { rowAt, type SessionState } from '../../../session/index.js';
import { $route } from './route.js';
import { $sessions } from './sessions.js';

export function folderOf(state: SessionState, run: number): string | undefined {
  const row = rowAt(state.runs, run);
  if (row?.facts.cwd !== undefined) return row.facts.cwd;
  const route = $route.get();
  const record = route.page === 'session' ? $sessions.get()[route.id] : undefined;
  return record?.runs.find(({ runId }) => runId === row?.runId)?.cwd ?? record?.cwd;
}
