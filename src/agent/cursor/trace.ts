/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';

export const trace = {
  name: 'cursor',
  title: 'Cursor (unverified)',
  programs: ['cursor-agent'],
} satisfies AgentTrace;
