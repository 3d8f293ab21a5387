/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';

export const trace = {
  name: 'codex',
  title: 'Codex',
  programs: ['codex'],
  folders: ['$CODEX_HOME/sessions', '$CODEX_HOME/archived_sessions', '~/.codex/sessions', '~/.codex/archived_sessions'],
} satisfies AgentTrace;
