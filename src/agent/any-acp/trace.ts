/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';

export const trace = {
  name: 'acp',
  title: 'an agent by the Agent Client Protocol',
  programs: ['acp-agent'],
} satisfies AgentTrace;
