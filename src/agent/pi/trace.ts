/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';

export const trace = {
  name: 'pi',
  title: 'pi',
  programs: ['pi'],
  folders: ['$PI_CODING_AGENT_DIR/sessions', '~/.pi/agent/sessions'],
  // 0.73 and 0.87: the file is made with the first answer, its folder when the program starts.
  presence: { writesAfterAnswer: true },
} satisfies AgentTrace;
