import type { Draft } from '../../event/index.js';
import type { Agent } from '../agent.js';
import type { Command, CommandRequest } from '../command.js';
import type { RecordedConversation } from './replay.js';

/** A part of the contract, for any test runner: it has a name, and throws when the agent does not keep it. */
export interface AgentCase {
  readonly name: string;
  run(): void;
}

/** What `testAgent` has to know about an agent. */
export interface AgentConformance {
  agent: Agent;
  /** What its program printed, as true as possible; at least one stream. */
  recordings: readonly AgentRecording[];
  commands?: readonly ExpectedCommand[];
  /** Flags that take the next argument whatever it is, for programs that do not understand `--flag=value`. */
  pairedFlags?: readonly string[];
  /** How hosts that were recorded talked to it. */
  conversations?: readonly RecordedConversation[];
  /** What a whole recording must show beyond the promises of every agent; gives sentences about what is wrong. */
  check?(events: readonly Draft[], recording: AgentRecording): string[];
}

/** A stream from its first line to its last. */
export interface AgentRecording {
  readonly name: string;
  /** The JSON value of each line. */
  readonly lines: readonly unknown[];
  /** Absent when the program was killed. */
  readonly exitCode?: number | undefined;
}

/** An argument vector to the letter. */
export interface ExpectedCommand {
  name: string;
  /** Added to the prompt "go" in one shot, with the permission `deny`. */
  request: Partial<CommandRequest>;
  /** Joined by spaces. */
  args: string;
  stdin?: Command['stdin']['kind'] | undefined;
}

/** Throws the sentences, if there are any. */
export function expectNone(wrong: readonly string[], where = ''): void {
  if (wrong.length > 0) throw new Error([where, ...wrong].filter(Boolean).join('\n'));
}
