/** How an agent is started over HTTP, and what whoever starts it can choose from. */
import type { Permission } from '../event/index.js';

export interface AgentInfo {
  name: string;
  title: string;
  /** The program was found here. */
  installed: boolean;
  /** How to get it, as a sentence. */
  install: string;
  capabilities: Record<string, boolean | string>;
  /** Those that make a difference with it. */
  permissions: Permission[];
  /** How hard it can be told to think, the least first; none where it cannot be told. */
  efforts: string[];
  /** Types of what may be attached to what is said to it; none where it takes words alone. */
  attachments: string[];
}

export interface StartRequest {
  agent: string;
  prompt: string;
  /** Must be inside one of the server's projects; default is the first of them. */
  cwd?: string | undefined;
  permission?: Permission | undefined;
  model?: string | undefined;
  /** One of the agent's `efforts`. */
  effort?: string | undefined;
  /** Ids of what was sent before (`attach`). */
  attachments?: string[] | undefined;
  timeoutMs?: number | undefined;
  budgetUsd?: number | undefined;
  budgetTokens?: number | undefined;
  maxTurns?: number | undefined;
  /** In a folder and on a branch of its own, made from what is checked out there. */
  worktree?: boolean | undefined;
  /** When a limit of the account stops it, it goes on by itself when that is over, at most so many times. */
  goOn?: number | undefined;
}

/** A picture or a PDF, at most 8 MiB of it. */
export interface AttachRequest {
  /** For people; no path. */
  name: string;
  /** Base64. */
  data: string;
}

/** What it is by its content, and the id by which it is attached. */
export interface KeptAttachment {
  id: string;
  name: string;
  mimeType: string;
  bytes: number;
}

/** Who would be started, and where. */
export interface StartQuery {
  agent: string;
  cwd?: string | undefined;
}

/** What there is to choose from, as far as it is known. */
export interface StartChoices {
  /** Models as this agent last listed them, then others that it worked with before, the most used first. */
  models: string[];
  /** Whether it has listed any. */
  listed: boolean;
  /** Its slash commands, as it last told them, best of all in this directory. */
  commands: string[];
  /** Whether a work tree can be made of the directory. */
  worktree: boolean;
}

/** Files of a project by a part of their paths. */
export interface FileQuery {
  text: string;
  cwd?: string | undefined;
}
