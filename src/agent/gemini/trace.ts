/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';
import { presence } from './presence.js';

export const trace = {
  name: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  folders: ['$GEMINI_CLI_HOME/.gemini/tmp', '~/.gemini/tmp'],
  presence,
} satisfies AgentTrace;
