/** What is seen of it from outside. */
import type { AgentTrace } from '../presence.js';
import { presence } from './presence.js';

export const trace = {
  name: 'claude',
  title: 'Claude Code',
  programs: ['claude'],
  folders: ['$CLAUDE_CONFIG_DIR/projects', '~/.claude/projects'],
  presence,
} satisfies AgentTrace;
