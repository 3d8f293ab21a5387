/**
 * The programs that an agent starts by itself when something happens in a session, whoever started that: how they get into the settings
 * of the user, what they are told, and what they may answer. Pure.
 */
import type { DraftOf } from '../event/index.js';
import type { Decision } from './action.js';
import type { Json } from './field.js';
import type { Insertion } from './json-text.js';

/** `watch` only tells. `check` waits for a no, and without one nothing changes. `ask` waits for what somebody decides. */
export type HookMode = 'watch' | 'check' | 'ask';

/** A hook that stands in the settings. */
export interface FoundHook {
  /** The agent's own name for what it is called at. */
  at: string;
  command: string;
}

export interface Hooks {
  /** Questions can be answered through them; else they only tell. */
  readonly canAnswer: boolean;
  /** Sessions that run take them up too; else only those that are started afterwards. */
  readonly reachesRunning: boolean;
  /** The program reads plain JSON alone, and skips all of a file that has comments or a comma behind the last entry. */
  readonly isPlain?: true;
  /** Where the settings of the user are: the first place counts whose variable is set; `~` is the home directory. */
  readonly settings: readonly string[];
  /** What to put into the text so that our hooks stand in it. Throws when the text is not what settings look like. */
  install(text: string, commandFor: (mode: HookMode) => string, modes: readonly HookMode[]): Insertion[];
  find(text: string): FoundHook[];
  /** The text without hooks that have such a command; everything else stays as it is. */
  remove(text: string, isOurs: (command: string) => boolean): string;
  /** What a hook was told; undefined for what is not known. Never throws. */
  read(payload: unknown): HookCall | undefined;
}

/** What happened, as far as hooks tell: enough to know that a session lives and whether it waits. */
export type HookMoment =
  | 'session-start'
  | 'session-end'
  | 'prompt'
  | 'tool-start'
  | 'tool-end'
  | 'turn-end'
  | 'ask'
  | 'notice';

export interface HookCall {
  what: HookMoment;
  /** The agent's own id of the session. */
  sessionId: string;
  /** The file that it keeps the session in. */
  transcript?: string | undefined;
  cwd?: string | undefined;
  /** The sub-agent in which it happens, by the agent's own name for it. */
  part?: string | undefined;
  /** Of a tool that starts or ended, and of a question about one. */
  call?: HookedTool | undefined;
  /** For a question to a person that can be answered here. */
  answer?(decision: Decision): Json;
  /** The answer of a `check`. */
  deny?(reason: string): Json;
}

export interface HookedTool {
  /** Absent for a question, which does not name its call. */
  toolId?: string | undefined;
  /** What would be asked about it. */
  request: Omit<DraftOf<'approval-request'>, 'type' | 'id' | 'turn'>;
}
