/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';
import { presence } from './presence.js';

export const trace = {
  name: 'droid',
  title: 'Factory Droid',
  programs: ['droid'],
  folders: ['$FACTORY_HOME_OVERRIDE/.factory/sessions', '~/.factory/sessions'],
  presence,
} satisfies AgentTrace;
