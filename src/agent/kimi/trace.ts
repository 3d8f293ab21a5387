/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';
import { presence } from './presence.js';

export const trace = {
  name: 'kimi',
  title: 'Kimi Code',
  programs: ['kimi'],
  folders: ['$KIMI_CODE_HOME/sessions', '~/.kimi-code/sessions'],
  presence,
} satisfies AgentTrace;
