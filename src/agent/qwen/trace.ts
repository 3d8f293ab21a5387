/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';
import { presence } from './presence.js';

export const trace = {
  name: 'qwen',
  title: 'Qwen Code',
  programs: ['qwen'],
  folders: ['$QWEN_RUNTIME_DIR/projects', '$QWEN_HOME/projects', '~/.qwen/projects'],
  presence,
} satisfies AgentTrace;
