/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';

export const trace = {
  name: 'amp',
  title: 'Amp',
  programs: ['amp'],
} satisfies AgentTrace;
