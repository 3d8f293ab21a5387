/** The newest list of what the agent wants to do. */
import type { Todo } from '../../event/index.js';
import { MAIN_THREAD, type SessionState } from '../state.js';
import { entryAt } from '../table/chunks.js';

/** Of the main conversation, unless a sub-agent's thread is named. */
export function selectTodos(state: SessionState, thread: number = MAIN_THREAD): readonly Todo[] {
  return entryAt(state.threads, thread)?.todos ?? [];
}
