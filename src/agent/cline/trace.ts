/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';
import { presence, SESSION_FOLDERS } from './presence.js';

export const trace = {
  name: 'cline',
  title: 'Cline',
  programs: ['cline'],
  folders: SESSION_FOLDERS,
  presence,
} satisfies AgentTrace;
