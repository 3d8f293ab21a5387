/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';
import { presence } from './presence.js';

export const trace = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  programs: ['copilot'],
  folders: ['$COPILOT_HOME/session-state', '~/.copilot/session-state'],
  presence,
} satisfies AgentTrace;
