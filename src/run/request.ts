/** What a caller may ask of a run, and the checks before anything is spawned, in the order of U-2.3. */
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { PERMISSIONS, type Permission } from '../agent/command.js';
import type { Agent, CommandRequest } from '../agent/index.js';
import { type PipelineOptions, requireAgent } from '../decode/index.js';
import { GlassboxError } from '../event/index.js';
import { checkCapabilities, checkLimits } from './capability-check.js';
import type { Policy } from './policy.js';
import type { Rule } from './rule.js';
import type { WatchdogOptions } from './watchdog.js';

export interface RunRequest {
  /** Name of the agent, or one of your own behind the same contract. */
  agent: string | Agent;
  /** May be left out only with `keepOpen`. */
  prompt?: string;
  /** Where the agent works; relative to the current directory at the time of the call. */
  cwd?: string;
  /** Default `ask`: what no rule decides goes to whoever reads the events; with nobody there it is denied. */
  permission?: Permission;
  rules?: readonly Rule[];
  /** Keep the conversation open after a turn, for `say`, until `close()`. */
  keepOpen?: boolean;
  /** Text word by word where the agent can; default true. */
  deltas?: boolean;
  model?: string;
  addDirs?: readonly string[];
  allowedTools?: readonly string[];
  disallowedTools?: readonly string[];
  mcpConfig?: string;
  /** Added to the agent's own system prompt. */
  systemPrompt?: string;
  /** JSON schema for the final answer. */
  outputSchema?: unknown;
  /** Continue this agent session id, or the latest one. */
  resume?: string | 'latest';
  /** With `resume`: leave the old session as it is and continue in a copy. */
  fork?: boolean;
  /** Id for a new session. */
  sessionId?: string;
  /** What the resumed session had cost before; without it this run's own share is a lower bound. */
  baselineUsd?: number;
  /** Further arguments for the program. */
  args?: readonly string[];
  /** Variables for the child; `undefined` removes one. They win over everything else. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Path or name of the program, instead of searching for it. */
  program?: string;
  /** From the spawn to the end; absent or 0 means no limit. */
  timeoutMs?: number;
  budgetUsd?: number;
  /** Fresh input, cache writes and output, sub-agents included. */
  budgetTokens?: number;
  maxTurns?: number;
  /** Whether somebody will answer approvals; by default, whether anybody reads the events. */
  attended?: boolean;
  /** An approval that nobody answers in this time is denied; 0 waits for ever. Default 10 minutes. */
  approvalTimeoutMs?: number;
  watchdog?: WatchdogOptions;
  /** `tail` keeps the last words for `stderrTail()`, a function also gets them all, `discard` drops them. Default `tail`. */
  stderr?: 'tail' | 'discard' | ((text: string) => void);
  /** Keep so much of the end of its raw output for `captured()`; by default nothing is kept. */
  captureBytes?: number;
  /** Processes that outlive the agent: default `end`. */
  survivors?: 'end' | 'keep';
  /** Time for those that it leaves behind to finish by themselves. Default 2 seconds. */
  survivorGraceMs?: number;
  /** When the last reader lets go: keep draining (default), or cancel the run. */
  onDrop?: 'drain' | 'cancel';
  /** Aborting it cancels the run. */
  signal?: AbortSignal;
  /** Unique; made up when absent. */
  runId?: string;
  /** Bounds and redaction; false shows everything as it is. */
  guard?: PipelineOptions['guard'];
  maxLineBytes?: PipelineOptions['maxLineBytes'];
  raw?: PipelineOptions['raw'];
}

/** A checked request, in the shapes that the parts of a run want. */
export interface RunPlan {
  request: RunRequest;
  agent: Agent;
  runId: string;
  command: CommandRequest;
  policy: Policy;
  /** See `createTally`. */
  baselineUsd: number | null;
}

/** Defaults, then the request; variables are merged one by one (S2-12). */
export function withDefaults(request: RunRequest, defaults: Partial<RunRequest>): RunRequest {
  const merged: RunRequest = { ...defaults, agent: request.agent };
  for (const [name, value] of Object.entries(request))
    if (value !== undefined) Object.assign(merged, { [name]: value });
  return { ...merged, env: { ...defaults.env, ...request.env } };
}

/** Checks a request; throws what the caller must hear before anything is spawned. */
export function planRun(request: RunRequest): RunPlan {
  const agent = requireAgent(request.agent);
  checkPrompt(request);
  checkCapabilities(request, agent);
  checkValues(request);
  checkTogether(request, agent);

  const cwd = path.resolve(request.cwd ?? '.');
  const command = commandRequest(request, agent, cwd);
  checkLimits(agent, command);
  const { permission } = command;
  const addDirs = command.addDirs ?? [];
  const policy: Policy = { permission, rules: request.rules ?? [], addDirs, place: { cwd, home: homedir() } };
  const baselineUsd = request.baselineUsd ?? (request.resume === undefined ? 0 : null);
  return { request, agent, runId: request.runId ?? randomUUID(), command, policy, baselineUsd };
}

function commandRequest(request: RunRequest, agent: Agent, cwd: string): CommandRequest {
  const { permission = 'ask', deltas = true, addDirs, args, maxTurns, keepOpen } = request;
  // Somebody may have to answer, or will speak again; both need an open input, and an agent that listens.
  const { approvals, followUp } = agent.capabilities;
  const answers = approvals && (request.rules?.length || (permission !== 'deny' && permission !== 'bypass'));
  const command: CommandRequest = {
    mode: answers || (keepOpen && followUp) ? 'conversation' : 'one-shot',
    permission,
    cwd,
    deltas: deltas && agent.capabilities.deltas !== false,
    ...(addDirs && { addDirs: [...new Set(addDirs.map((dir) => path.resolve(cwd, dir)))] }),
    ...(args && { extraArgs: [...args] }),
    ...(maxTurns !== undefined && agent.capabilities.maxTurns && { maxTurns }),
  };
  for (const key of PASSED_ON) if (request[key] !== undefined) Object.assign(command, { [key]: request[key] });
  return command;
}

const PASSED_ON = [
  'prompt',
  'model',
  'allowedTools',
  'disallowedTools',
  'mcpConfig',
  'systemPrompt',
  'outputSchema',
  'resume',
  'fork',
  'sessionId',
  'budgetUsd',
] as const satisfies (keyof RunRequest & keyof CommandRequest)[];

function checkPrompt({ prompt, keepOpen }: RunRequest): void {
  if (prompt === undefined ? !keepOpen : prompt.trim() === '') refuse('prompt must not be empty');
  if (prompt?.includes('\0')) refuse('prompt must not contain a NUL character');
}

function checkValues(request: RunRequest): void {
  const { permission, timeoutMs, approvalTimeoutMs, survivorGraceMs } = request;
  const { budgetUsd, budgetTokens, maxTurns, captureBytes } = request;
  if (permission !== undefined && !PERMISSIONS.includes(permission)) {
    refuse(`permission must be one of ${PERMISSIONS.join(', ')}`);
  }
  for (const [name, value] of Object.entries({ timeoutMs, approvalTimeoutMs, survivorGraceMs })) {
    if (value !== undefined && !(value >= 0 && value <= LONGEST_TIMER_MS)) {
      refuse(`${name} must be between 0 and ${LONGEST_TIMER_MS}`);
    }
  }
  for (const [name, value] of Object.entries({ budgetUsd, budgetTokens, maxTurns, captureBytes })) {
    if (value !== undefined && !(value > 0)) refuse(`${name} must be more than 0`);
  }
  // Never repeated in the message: it may be a secret in the wrong place.
  for (const name of ['resume', 'sessionId', 'runId'] as const) {
    if (!ID.test(request[name] ?? 'absent')) refuse(`invalid ${name}`);
  }
  if (!MODEL.test(request.model ?? 'absent')) refuse('invalid model');
}

/** Names files and directories too, so no separators; never a flag. */
const ID = /^[^\s\p{Cc}/\\-][^\s\p{Cc}/\\]{0,255}$/u;
const MODEL = /^[^\s\p{Cc}-]\P{Cc}{0,127}$/u;

/** Timers of Node overflow beyond this and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function checkTogether(request: RunRequest, agent: Agent): void {
  const { resume, fork, sessionId, args = [] } = request;
  if (fork && resume === undefined) refuse('fork needs resume');
  if (sessionId !== undefined && resume !== undefined && !fork) refuse('sessionId and resume exclude each other');
  for (const arg of args) {
    const flag = arg.split('=', 1)[0] ?? arg;
    if (arg === '--' || agent.program.reservedFlags.includes(flag)) refuse(`${flag} is set by glassbox, not by args`);
  }
}

function refuse(message: string): never {
  throw new GlassboxError('invalid-request', message);
}
