/** How permissions are decided: by asking, by the agent for its own edits, not at all while it plans, by refusing, or not at all. */
export const PERMISSIONS = ['ask', 'accept-edits', 'plan', 'deny', 'bypass'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** What a run may do and where, as it was started. Whoever continues its session keeps them, unless told otherwise. */
export interface Terms {
  permission: Permission;
  /** Messages can be said to it while it works. */
  followUp: boolean;
  model?: string;
  effort?: string;
  addDirs?: readonly string[];
  allowedTools?: readonly string[];
  disallowedTools?: readonly string[];
  /** The rules that came with its request, not those of files, which are read anew. */
  rules?: readonly Readonly<Record<string, string>>[];
  /** After which it is ended. Those of this run alone: what continues its session has its own. */
  limits?: RunLimits;
}

export interface RunLimits {
  timeoutMs?: number;
  budgetUsd?: number;
  /** Without what is read from a cache. */
  budgetTokens?: number;
  /** As the agent counts them, or by messages of its main conversation where it does not. */
  maxTurns?: number;
}
