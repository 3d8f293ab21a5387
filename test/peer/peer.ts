/** What has to be known about a real agent to bring it to a model on loopback and through the scenarios. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CapabilityName } from '../../src/agent/index.js';
import type { RunRequest } from '../../src/run/index.js';
import type { ModelServer } from './model/http.js';
import type { ModelTurn, Script } from './model/turn.js';
import type { Sandbox } from './sandbox.js';

export interface Peer {
  agent: string;
  /** What it is called here, where there are two of the same agent. */
  name?: string;
  program(): string;
  model(script: Script): Promise<ModelServer>;
  env(model: ModelServer): Record<string, string>;
  /** Writes settings into the fresh home. */
  setUp?(sandbox: Sandbox, model: ModelServer): void;
  /** Settings of its interactive program, which otherwise greets a newcomer first. */
  introduce?(sandbox: Sandbox): void;
  /** So that its interactive program asks before it runs a command, where it would not by itself. */
  asks?: { args?: readonly string[]; env?: Readonly<Record<string, string>> };
  /** Added to every request. */
  request?: Partial<RunRequest>;
  shell(command: string): ModelTurn;
  /** Writes a file with this content. */
  write(path: string, content: string): ModelTurn;
  /** A failing command is told as failed; where the stream hides it, `ok`. */
  failingShell: 'failed' | 'ok';
  /** Why the agent has no such scenario; its capability must say so too. */
  cannot?: Partial<Record<Scenario, string>>;
}

export const SCENARIOS = [
  'text',
  'tool',
  'failing tool',
  'edit',
  'API error',
  'interrupt',
  'cancel',
  'follow-up',
  'resume',
  'options',
  'approval',
  'deny',
] as const;

export type Scenario = (typeof SCENARIOS)[number];

/** The scenarios that an agent may lack, and the capability that tells. */
export const NEEDS: Partial<Record<Scenario, CapabilityName>> = {
  interrupt: 'interrupt',
  'follow-up': 'followUp',
  resume: 'resume',
  approval: 'approvals',
};

/** A reason that several agents share. */
export const DEAF = 'it listens to nobody once it runs';

export function callTool(name: string, input: Record<string, unknown>): ModelTurn {
  return { tools: [{ name, input }] };
}

export function writeJson({ home }: Sandbox, file: string, value: unknown): void {
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}
