/** The flags of every command that starts an agent, and the request they make. */
import path from 'node:path';
import type { FlagParametersForType } from '@stricli/core';
import { PERMISSIONS, type Permission } from '../../event/index.js';
import type { RunRequest } from '../../run/index.js';
import { parseDuration } from './parse-duration.js';
import { parseText } from './parse-text.js';

export interface RunFlags {
  readonly model?: string;
  readonly effort?: string;
  readonly permission?: Permission;
  readonly cwd?: string;
  readonly attach?: string[];
  readonly addDir?: string[];
  readonly allowedTools?: string[];
  readonly disallowedTools?: string[];
  readonly mcpConfig?: string;
  readonly systemPrompt?: string;
  readonly schema?: object;
  readonly timeout?: number;
  readonly budget?: number;
  readonly budgetTokens?: number;
  readonly maxTurns?: number;
  readonly deltas?: boolean;
  readonly program?: string;
  readonly arg?: string[];
}

const text = { kind: 'parsed', parse: parseText, optional: true } as const;
const number = { kind: 'parsed', parse: parseAmount, optional: true } as const;

export const runFlags: FlagParametersForType<RunFlags> = {
  model: { ...text, placeholder: 'name', brief: 'Model, as the agent names it' },
  effort: { ...text, placeholder: 'level', brief: 'How hard it thinks, as the agent names it: low, high …' },
  permission: { kind: 'enum', values: PERMISSIONS, optional: true, brief: 'Who decides what it may do (default: ask)' },
  cwd: { ...text, placeholder: 'dir', brief: 'Where the agent works (default: here)' },
  attach: {
    ...text,
    variadic: true,
    placeholder: 'file',
    brief: 'A picture or PDF beside the prompt; may be repeated',
  },
  addDir: { ...text, variadic: true, placeholder: 'dir', brief: 'Another directory that it may use; may be repeated' },
  allowedTools: {
    ...text,
    variadic: true,
    placeholder: 'list',
    brief: 'Tools that need no approval, as the agent names them',
  },
  disallowedTools: { ...text, variadic: true, placeholder: 'list', brief: 'Tools that it does not get' },
  mcpConfig: { ...text, placeholder: 'file', brief: 'MCP servers, as the agent takes them' },
  systemPrompt: { ...text, placeholder: 'text', brief: 'Added to the system prompt' },
  schema: {
    kind: 'parsed',
    parse: parseSchema,
    optional: true,
    placeholder: 'json',
    brief: 'JSON schema of the answer',
  },
  timeout: {
    kind: 'parsed',
    parse: parseDuration,
    optional: true,
    placeholder: 'time',
    brief: 'End it after 90s, 10m, 1h',
  },
  budget: { ...number, placeholder: 'usd', brief: 'End it when it has cost so much' },
  budgetTokens: { ...number, placeholder: 'n', brief: 'End it when it has used so many tokens' },
  maxTurns: { ...number, placeholder: 'n', brief: 'End it after so many steps' },
  deltas: { kind: 'boolean', optional: true, brief: 'Text word by word, where the agent can (default: yes)' },
  program: { ...text, placeholder: 'path', brief: 'The program to start, instead of searching for it' },
  arg: { ...text, variadic: true, placeholder: 'flag', brief: 'Another argument for the program: --arg=--debug' },
};

/** Without what is not said, so that the configuration fills it in. */
export function requestOf(flags: RunFlags): Partial<RunRequest> {
  const { attach, addDir, schema, timeout, budget, arg, ...same } = flags;
  const request: { [Name in keyof RunRequest]?: RunRequest[Name] | undefined } = {
    ...pick(same),
    attachments: attach?.map((file) => path.resolve(file)),
    addDirs: addDir,
    outputSchema: schema,
    timeoutMs: timeout,
    budgetUsd: budget,
    args: arg,
  };
  const said = Object.entries(request).filter(([, value]) => value !== undefined && !isEmptyList(value));
  return Object.fromEntries(said);
}

/** Commands have flags of their own beside these. */
function pick(flags: RunFlags) {
  const { model, effort, permission, cwd, allowedTools, disallowedTools, mcpConfig, systemPrompt } = flags;
  const { budgetTokens, maxTurns, deltas, program } = flags;
  return {
    ...{ model, effort, permission, cwd, allowedTools, disallowedTools, mcpConfig, systemPrompt },
    ...{ budgetTokens, maxTurns, deltas, program },
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function parseAmount(value: string): number {
  const amount = Number(value);
  if (!(amount > 0)) throw new SyntaxError(`Write a number above 0, not ${value}`);
  return amount;
}

function parseSchema(text: string): object {
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema === 'object' && schema !== null) return schema;
  } catch {
    // Said below, for both.
  }
  throw new SyntaxError('The schema must be a JSON object');
}
