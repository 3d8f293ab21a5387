/**
 * What is seen of each agent from outside: enough to find its sessions on a machine without its code, which is loaded when one of its conversations
 * is to be read.
 */
import type { Agent } from './agent.js';
import { presence as claude } from './claude/presence.js';
import { presence as cline, SESSION_FOLDERS } from './cline/presence.js';
import { presence as copilot } from './copilot/presence.js';
import { presence as droid } from './droid/presence.js';
import { presence as gemini } from './gemini/presence.js';
import { presence as kilo } from './kilo/presence.js';
import { presence as kimi } from './kimi/presence.js';
import type { SignsOfLife } from './presence.js';
import { presence as qwen } from './qwen/presence.js';

export interface Trace {
  readonly name: string;
  readonly title: string;
  /** How its program is called among the processes. */
  readonly programs: readonly string[];
  /** Where its conversations lie; absent where they cannot be read. */
  readonly folders?: readonly string[];
  readonly presence?: SignsOfLife;
  load(): Promise<Agent>;
}

/** Of all agents, in the order of their list. */
export const TRACES: readonly Trace[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    programs: ['claude'],
    folders: ['$CLAUDE_CONFIG_DIR/projects', '~/.claude/projects'],
    presence: claude,
    load: async () => (await import('./claude/index.js')).claude,
  },
  {
    name: 'codex',
    title: 'Codex',
    programs: ['codex'],
    folders: [
      '$CODEX_HOME/sessions',
      '$CODEX_HOME/archived_sessions',
      '~/.codex/sessions',
      '~/.codex/archived_sessions',
    ],
    load: async () => (await import('./codex/index.js')).codex,
  },
  {
    name: 'amp',
    title: 'Amp',
    programs: ['amp'],
    load: async () => (await import('./amp/index.js')).amp,
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    programs: ['gemini'],
    folders: ['$GEMINI_CLI_HOME/.gemini/tmp', '~/.gemini/tmp'],
    presence: gemini,
    load: async () => (await import('./gemini/index.js')).gemini,
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    programs: ['qwen'],
    folders: ['$QWEN_RUNTIME_DIR/projects', '$QWEN_HOME/projects', '~/.qwen/projects'],
    presence: qwen,
    load: async () => (await import('./qwen/index.js')).qwen,
  },
  {
    name: 'opencode',
    title: 'opencode',
    programs: ['opencode'],
    folders: ['$XDG_DATA_HOME/opencode', '~/.local/share/opencode'],
    load: async () => (await import('./opencode/index.js')).opencode,
  },
  {
    name: 'kilo',
    title: 'Kilo',
    programs: ['kilo'],
    folders: ['$XDG_DATA_HOME/kilo', '~/.local/share/kilo'],
    presence: kilo,
    load: async () => (await import('./kilo/index.js')).kilo,
  },
  {
    name: 'pi',
    title: 'pi',
    programs: ['pi'],
    folders: ['$PI_CODING_AGENT_DIR/sessions', '~/.pi/agent/sessions'],
    load: async () => (await import('./pi/index.js')).pi,
  },
  {
    name: 'acp',
    title: 'an agent by the Agent Client Protocol',
    programs: ['acp-agent'],
    load: async () => (await import('./any-acp/index.js')).anyAcp,
  },
  {
    name: 'copilot',
    title: 'GitHub Copilot CLI',
    programs: ['copilot'],
    folders: ['$COPILOT_HOME/session-state', '~/.copilot/session-state'],
    presence: copilot,
    load: async () => (await import('./copilot/index.js')).copilot,
  },
  {
    name: 'droid',
    title: 'Factory Droid',
    programs: ['droid'],
    folders: ['$FACTORY_HOME_OVERRIDE/.factory/sessions', '~/.factory/sessions'],
    presence: droid,
    load: async () => (await import('./droid/index.js')).droid,
  },
  {
    name: 'cline',
    title: 'Cline',
    programs: ['cline'],
    folders: SESSION_FOLDERS,
    presence: cline,
    load: async () => (await import('./cline/index.js')).cline,
  },
  {
    name: 'cursor',
    title: 'Cursor (unverified)',
    programs: ['cursor-agent'],
    load: async () => (await import('./cursor/index.js')).cursor,
  },
  {
    name: 'kimi',
    title: 'Kimi Code',
    programs: ['kimi'],
    folders: ['$KIMI_CODE_HOME/sessions', '~/.kimi-code/sessions'],
    presence: kimi,
    load: async () => (await import('./kimi/index.js')).kimi,
  },
];
