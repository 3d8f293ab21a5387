import type { Permission } from '../event/index.js';
import type { GivenFile } from './attachment.js';

export { PERMISSIONS, type Permission } from '../event/index.js';

/** Everything about a run that shapes the agent's command line or handshake. */
export interface CommandRequest {
  prompt?: string | undefined;
  /** Given with the prompt; of types that the agent takes. */
  attachments?: readonly GivenFile[] | undefined;
  /** `one-shot`: prompt given at start, nothing said later. `conversation`: stdin stays open for answers and follow-ups. */
  mode: 'one-shot' | 'conversation';
  permission: Permission;
  /** Absolute directory the agent works in. */
  cwd: string;
  /** Word-by-word deltas where the agent can. */
  deltas: boolean;
  model?: string | undefined;
  /** One of the agent's `efforts`. */
  effort?: string | undefined;
  addDirs?: readonly string[] | undefined;
  allowedTools?: readonly string[] | undefined;
  disallowedTools?: readonly string[] | undefined;
  /** A path or inline JSON, as the agent takes it. */
  mcpConfig?: string | undefined;
  systemPrompt?: string | undefined;
  /** JSON schema for the final answer. */
  outputSchema?: unknown;
  maxTurns?: number | undefined;
  /** Most that this run may spend, for agents that watch it themselves; `run` watches it too. */
  budgetUsd?: number | undefined;
  /** Continue this agent session id, or the latest one. */
  resume?: string | 'latest' | undefined;
  /** With `resume`: leave the old session as it is and continue in a copy. */
  fork?: boolean | undefined;
  /** With `resume`: go on from the turn whose end told this, in a copy that knows nothing of what came after it. */
  resumeAt?: string | undefined;
  /** Id for a new session. */
  sessionId?: string | undefined;
  /** Further arguments from the user, already checked against `reservedFlags`. */
  extraArgs?: readonly string[] | undefined;
}

/** How to start the program for a request. */
export interface Command {
  /** Program name to be looked up, for example `claude`. */
  program: string;
  args: string[];
  /** `none`: stdin is empty and closed. `text`: this text, then closed. `lines`: kept open, the protocol writes lines. */
  stdin: { kind: 'none' } | { kind: 'text'; text: string } | { kind: 'lines' };
  /** Variables to set for the child. */
  env?: Record<string, string> | undefined;
  /** Files to write before the start and remove afterwards: the placeholder in `args` is replaced by the path. */
  files?: readonly { placeholder: string; name: string; text: string; isBase64?: boolean }[];
  /** How this agent is ended, gentlest first; each rung waits before the next. */
  ending: EndingLadder;
}

export type EndingLadder = readonly (
  | { do: 'interrupt'; waitMs: number }
  | { do: 'close-stdin'; waitMs: number }
  | { do: 'signal'; signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'; waitMs: number }
)[];

/** What has to be known about an agent's program before it is started. */
export interface Program {
  /** Basenames of programs that speak this, lower case, without `.exe`; the first is the one to look for. */
  readonly names: readonly string[];
  /** For people without it: the command that installs it, or what to do where there is none. */
  readonly install: string | { readonly instead: string };
  /** Directories to search besides PATH; `~` is the home directory. */
  readonly searchDirs: readonly string[];
  readonly versionArgs: readonly string[];
  /** Inherited variables (or prefixes ending in `*`) that disturb a nested run; the child does not get them. */
  readonly dropEnv: readonly string[];
  /** Flags that a user's extra arguments may not contain, because glassbox sets them. */
  readonly reservedFlags: readonly string[];
}

/** The next step for people without the program, as a sentence. */
export function howToGet({ install }: Pick<Program, 'install'>): string {
  return typeof install === 'string' ? `Install it with: ${install}` : install.instead;
}
