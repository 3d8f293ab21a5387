import type { ToolKind } from './tool.js';

/**
 * What a tool call touches, in neutral words: filled in the agent's folder, which alone understands its `input`.
 * Rules, prompts and pages read these and never the input.
 */

/** Absent fields are unknown, not empty: a call of a kind that touches files without `paths` is one that nobody can judge by path. */
export interface Targets {
  /** Files and folders it reads, edits, deletes, moves (both ends) or searches, as the agent names them. */
  paths?: string[];
  /** The command line that it executes. */
  command?: string;
  /** Where the input says it in other words, by JSON Pointer: with the shell around it. */
  commandAt?: string;
  /** Hosts that it fetches from. */
  hosts?: string[];
  /** What it would make of files, in the order in which it does so. */
  edits?: Edit[];
}

/** One of several calls that are asked about in one question. */
export interface AskedCall extends Targets {
  toolId?: string;
  toolName: string;
  toolKind: ToolKind;
}

/**
 * One change of one file. `replace` puts `after` where `before` stands, `write` makes `after` the whole file, `patch` applies `diff`
 * (hunks of a unified diff), `delete` and `move` need no text.
 */
export interface Edit {
  path: string;
  kind: 'replace' | 'write' | 'patch' | 'delete' | 'move';
  before?: TextPart;
  after?: TextPart;
  diff?: TextPart;
  /** Every occurrence of `before`, not only one. */
  all?: boolean;
  /** Where a moved file goes. */
  to?: string;
}

/** A text that stands in the call's `input`, by JSON Pointer, or that stands nowhere there and is carried along. */
export type TextPart = { at: string } | { text: string };
