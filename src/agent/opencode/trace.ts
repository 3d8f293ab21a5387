/** What is seen of it from outside. */
import { familyFolders, familyLog } from '../opencode-family/trace.js';
import type { AgentTrace } from '../presence.js';

export const trace = {
  name: 'opencode',
  title: 'opencode',
  programs: ['opencode'],
  folders: familyFolders('opencode'),
  presence: { log: familyLog('opencode') },
} satisfies AgentTrace;
