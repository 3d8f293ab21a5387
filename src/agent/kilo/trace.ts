/** What is seen of it from outside. */
import { familyFolders } from '../opencode-family/trace.js';
import type { AgentTrace } from '../presence.js';
import { presence } from './presence.js';

export const trace = {
  name: 'kilo',
  title: 'Kilo',
  programs: ['kilo'],
  folders: familyFolders('kilo'),
  presence,
} satisfies AgentTrace;
