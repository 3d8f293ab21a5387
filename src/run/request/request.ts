/** What a caller may ask of a run, and the checks before anything is spawned, in a fixed order, so that the first error is always the same. */
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { PERMISSIONS, type Permission } from '../../agent/command.js';
import type { Agent, CommandRequest } from '../../agent/index.js';
import { type PipelineOptions, requireAgent } from '../../decode/index.js';
import { type Balance, GlassboxError, type Terms } from '../../event/index.js';
import { type OptionNames, refuseUnknown } from '../../event/option.js';
import type { Policy } from '../approval/policy.js';
import type { Rule } from '../approval/rule.js';
import { giveFiles } from '../attachment/given-file.js';
import type { Beginning } from '../handle.js';
import type { WatchdogOptions } from '../limit/watchdog.js';
import { checkCapabilities, checkEffort, checkLimits } from './capability-check.js';
import { FROM_START } from './continuation.js';
import { checkRules } from './setting.js';

export interface RunRequest {
  /** Name of the agent, or one of your own behind the same contract. */
  agent: string | Agent;
  /** May be left out only with `keepOpen`. */
  prompt?: string | undefined;
  /** Pictures, and what else the agent takes (`attachments`), beside the prompt: paths, relative to `cwd`. */
  attachments?: readonly string[] | undefined;
  /** Where the agent works; relative to the current directory at the time of the call. */
  cwd?: string | undefined;
  /** Default `ask`: what no rule decides goes to whoever reads the events; with nobody there it is denied. */
  permission?: Permission | undefined;
  rules?: readonly Rule[] | undefined;
  /** Messages may be said while it works, where the agent takes them; it ends after its last turn all the same. */
  followUp?: boolean | undefined;
  /** Keep the conversation open after a turn, for `say`, until `close()`. */
  keepOpen?: boolean | undefined;
  /** Text word by word where the agent can; default true. */
  deltas?: boolean | undefined;
  model?: string | undefined;
  /** How hard it thinks: one of the agent's `efforts`. */
  effort?: string | undefined;
  addDirs?: readonly string[] | undefined;
  allowedTools?: readonly string[] | undefined;
  disallowedTools?: readonly string[] | undefined;
  mcpConfig?: string | undefined;
  /** Added to the agent's own system prompt. */
  systemPrompt?: string | undefined;
  /** JSON schema for the final answer. */
  outputSchema?: unknown;
  /** Continue this agent session id, or the latest one. */
  resume?: string | 'latest' | undefined;
  /** With `resume`: leave the old session as it is and continue in a copy. */
  fork?: boolean | undefined;
  /**
   * With `resume`: go on from the turn whose `turn-end` told this, in a copy that knows nothing of what came after it; `start`: as a new
   * conversation. The run belongs to the session all the same.
   */
  resumeAt?: string | undefined;
  /** Id for a new session. */
  sessionId?: string | undefined;
  /** With `resume`: the `balance` of the run that is continued. Without it this run's own share may be a lower bound. */
  balance?: Balance | undefined;
  /** Further arguments for the program. */
  args?: readonly string[] | undefined;
  /** Variables for the child; `undefined` removes one. They win over everything else. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Path or name of the program, instead of searching for it. */
  program?: string | undefined;
  /** From the spawn to the end; absent or 0 means no limit. */
  timeoutMs?: number | undefined;
  budgetUsd?: number | undefined;
  /** Fresh input, cache writes and output, sub-agents included. */
  budgetTokens?: number | undefined;
  maxTurns?: number | undefined;
  /** Other sessions that work in the same folder, for people; asked at each question. */
  alsoHere?: (() => readonly string[]) | undefined;
  /** Waited for in the last moment before the agent is started; when it rejects, the agent is not. */
  beforeStart?: (() => Promise<void>) | undefined;
  /** Whether somebody will answer approvals; by default, whether anybody reads the events. */
  attended?: boolean | undefined;
  /** An approval that nobody answers in this time is denied; 0 waits for ever. Default 10 minutes. */
  approvalTimeoutMs?: number | undefined;
  watchdog?: WatchdogOptions | undefined;
  /** `tail` keeps the last words for `stderrTail()`, a function also gets them all, redacted, `discard` drops them. Default `tail`. */
  stderr?: 'tail' | 'discard' | ((text: string) => void) | undefined;
  /** Keep so much of the end of its raw output for `captured()`; by default nothing is kept. */
  captureBytes?: number | undefined;
  /** Processes that outlive the agent: default `end`. */
  survivors?: 'end' | 'keep' | undefined;
  /** Time for those that it leaves behind to finish by themselves. Default 2 seconds. */
  survivorGraceMs?: number | undefined;
  /** Read each piece of its output at once. By default a flood of text is read once per frame (16 ms), which takes half of the work. */
  lowLatency?: boolean | undefined;
  /** When the last reader lets go: keep draining (default), or cancel the run. */
  onDrop?: 'drain' | 'cancel' | undefined;
  /** Aborting it cancels the run. */
  signal?: AbortSignal | undefined;
  /** Unique; made up when absent. */
  runId?: string | undefined;
  /** Bounds and redaction; false shows everything as it is. */
  guard?: PipelineOptions['guard'];
  maxLineBytes?: PipelineOptions['maxLineBytes'];
  raw?: PipelineOptions['raw'];
}

const REQUEST_NAMES: OptionNames<RunRequest> = {
  agent: true,
  prompt: true,
  attachments: true,
  cwd: true,
  permission: true,
  rules: true,
  followUp: true,
  keepOpen: true,
  deltas: true,
  model: true,
  effort: true,
  addDirs: true,
  allowedTools: true,
  disallowedTools: true,
  mcpConfig: true,
  systemPrompt: true,
  outputSchema: true,
  resume: true,
  fork: true,
  resumeAt: true,
  sessionId: true,
  balance: true,
  args: true,
  env: true,
  program: true,
  timeoutMs: true,
  budgetUsd: true,
  budgetTokens: true,
  maxTurns: true,
  alsoHere: true,
  beforeStart: true,
  attended: true,
  approvalTimeoutMs: true,
  watchdog: true,
  stderr: true,
  captureBytes: true,
  survivors: true,
  survivorGraceMs: true,
  lowLatency: true,
  onDrop: true,
  signal: true,
  runId: true,
  guard: true,
  maxLineBytes: true,
  raw: true,
};
const WATCHDOG_NAMES: OptionNames<WatchdogOptions> = {
  silence: true,
  repetition: true,
  spend: true,
  approval: true,
  linger: true,
  tasks: true,
};

/** A checked request, in the shapes that the parts of a run want. */
export interface RunPlan {
  request: RunRequest;
  agent: Agent;
  runId: string;
  command: CommandRequest;
  policy: Policy;
}

export function refuseUnknownOptions(request: Partial<RunRequest>): void {
  refuseUnknown<Partial<RunRequest>>('A run', request, REQUEST_NAMES);
  refuseUnknown('watchdog', request.watchdog, WATCHDOG_NAMES);
}

/**
 * Defaults, then the request; variables are merged one by one, and rules hold together: none loosens another. Throws when
 * either has an option that no run has.
 */
export function withDefaults(request: RunRequest, defaults: Partial<RunRequest>): RunRequest {
  for (const options of [request, defaults]) refuseUnknownOptions(options);
  const merged: RunRequest = { ...defaults, agent: request.agent };
  for (const [name, value] of Object.entries(request))
    if (value !== undefined) Object.assign(merged, { [name]: value });
  const rules = [...(request.rules ?? []), ...(defaults.rules ?? [])];
  return { ...merged, ...(rules.length > 0 && { rules }), env: { ...defaults.env, ...request.env } };
}

/** What stays in force when the session goes on, and how far this run may go. */
export function termsOf({ agent, command, request }: RunPlan, rules: readonly Rule[] | undefined): Terms {
  const { addDirs, model, effort, allowedTools, disallowedTools } = command;
  return {
    permission: command.permission,
    followUp: agent.capabilities.followUp !== false && command.mode === 'conversation',
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(addDirs && { addDirs }),
    ...(allowedTools && { allowedTools }),
    ...(disallowedTools && { disallowedTools }),
    ...(rules && { rules: rules.map((rule) => ({ ...rule })) }),
    ...limitsOf(request),
  };
}

function limitsOf({ timeoutMs, budgetUsd, budgetTokens, maxTurns }: RunRequest): Pick<Terms, 'limits'> {
  const limits = {
    ...(timeoutMs && { timeoutMs }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(maxTurns !== undefined && { maxTurns }),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
}

/** Whether something can be said to such a run while it works, once it is started for that. Throws what `run` would throw for the same request. */
export function takesMessages(request: RunRequest, defaults: Partial<RunRequest>): boolean {
  const wanted = withDefaults(request, defaults);
  const asItIs = termsOf(planRun(wanted), undefined).followUp ?? false;
  // Arguments of one's own may be for the program as it is started to say one thing.
  if (asItIs || wanted.args?.length) return asItIs;
  try {
    return termsOf(planRun({ ...wanted, followUp: true }), undefined).followUp ?? false;
  } catch {
    return false;
  }
}

export function beginningOf({ request, command }: RunPlan, startedAt: number): Beginning {
  const { resume, fork } = request;
  const { cwd, model } = command;
  return {
    startedAt,
    cwd,
    ...(model !== undefined && { model }),
    ...(resume !== undefined && resume !== 'latest' && { resumes: resume }),
    ...(fork !== undefined && { fork }),
  };
}

/** Checks a request; throws what the caller must hear before anything is spawned. */
export function planRun(request: RunRequest): RunPlan {
  const agent = requireAgent(request.agent);
  checkPrompt(request);
  checkTexts(request);
  checkCapabilities(request, agent);
  checkEffort(request, agent);
  checkValues(request);
  checkTogether(request, agent);

  const cwd = path.resolve(request.cwd ?? '.');
  const command = commandRequest(request, agent, cwd);
  const attachments = giveFiles(request.attachments, agent, cwd);
  if (attachments) Object.assign(command, { attachments });
  checkLimits(agent, command);
  const { permission } = command;
  const addDirs = command.addDirs ?? [];
  const policy: Policy = { permission, rules: request.rules ?? [], addDirs, place: { cwd, home: homedir() } };
  return { request, agent, runId: request.runId ?? randomUUID(), command, policy };
}

function commandRequest(request: RunRequest, agent: Agent, cwd: string): CommandRequest {
  const { permission = 'ask', deltas = true, addDirs, args, maxTurns } = request;
  // Somebody may have to answer, or will speak again; both need an open input, and an agent that listens.
  const { approvals } = agent.capabilities;
  const speaks = request.keepOpen || request.followUp || request.attachments?.length;
  const isSpokenTo = agent.capabilities.followUp !== false && speaks;
  const answers = approvals && (request.rules?.length || (permission !== 'deny' && permission !== 'bypass'));
  const command: CommandRequest = {
    mode: answers || isSpokenTo ? 'conversation' : 'one-shot',
    permission,
    cwd,
    deltas: deltas && agent.capabilities.deltas !== false,
    ...(addDirs && { addDirs: [...new Set(addDirs.map((dir) => path.resolve(cwd, dir)))] }),
    ...(args && { extraArgs: [...args] }),
    ...(maxTurns !== undefined && agent.capabilities.maxTurns && { maxTurns }),
  };
  for (const key of PASSED_ON) if (request[key] !== undefined) Object.assign(command, { [key]: request[key] });
  if (request.resumeAt !== FROM_START) return command;
  const { resume: _, resumeAt: __, ...anew } = command;
  return anew;
}

const PASSED_ON = [
  'prompt',
  'model',
  'effort',
  'allowedTools',
  'disallowedTools',
  'mcpConfig',
  'systemPrompt',
  'outputSchema',
  'resume',
  'fork',
  'resumeAt',
  'sessionId',
  'budgetUsd',
] as const satisfies (keyof RunRequest & keyof CommandRequest)[];

function checkPrompt({ prompt, keepOpen, attachments }: RunRequest): void {
  if (prompt === undefined ? !keepOpen : prompt.trim() === '') refuse('prompt must not be empty');
  if (prompt === undefined && attachments?.length) refuse('attachments belong to a prompt: say what they are for');
}

/** They reach the operating system, where a NUL ends a text; Node says so only when the run has begun. */
const STARTED_WITH = [
  'prompt',
  'cwd',
  'program',
  'systemPrompt',
  'mcpConfig',
  'addDirs',
  'allowedTools',
  'disallowedTools',
  'args',
  'env',
] as const satisfies (keyof RunRequest)[];

/** Of all the others each program decides in its own way what an empty one would mean, so none may be. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['prompt', 'args', 'env']);

function checkTexts(request: RunRequest): void {
  for (const name of STARTED_WITH) {
    const value = request[name] ?? [];
    const texts = typeof value === 'string' ? [value] : Object.entries(value).flat();
    if (texts.some((text) => text?.includes('\0'))) refuse(`${name} must not contain a NUL character`);
    if (!MAY_BE_EMPTY.has(name) && texts.some((text) => text?.trim() === '')) {
      refuse(`${name} must not be empty: leave it out, or say what it shall be`);
    }
  }
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
  const problems: string[] = [];
  checkRules(request.rules ?? [], 'rules', problems);
  if (problems.length > 0) refuse(problems.join('; '));
  // Never repeated in the message: it may be a secret in the wrong place.
  for (const name of ['resume', 'resumeAt', 'sessionId', 'runId'] as const) {
    if (!ID.test(request[name] ?? 'absent')) refuse(`invalid ${name}: ${ID_TEXT}`);
  }
  if (!MODEL.test(request.model ?? 'absent')) refuse(`invalid model: ${MODEL_TEXT}`);
}

/** Names files and directories too, so no separators; never a flag. */
/** An agent's session id that is no flag, no path and no more than a word. */
export function isId(text: string): boolean {
  return ID.test(text);
}

const ID = /^[^\s\p{Cc}/\\-][^\s\p{Cc}/\\]{0,255}$/u;
const MODEL = /^[^\s\p{Cc}-]\P{Cc}{0,127}$/u;
const ID_TEXT = 'write one word of at most 256 characters without a slash, which does not begin with a hyphen';
const MODEL_TEXT =
  'write its name as the agent knows it, at most 128 characters and without a hyphen in front, or leave it out for the agent’s own choice';

/** Timers of Node overflow beyond this and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function checkTogether(request: RunRequest, agent: Agent): void {
  const { resume, fork, resumeAt, sessionId, args = [] } = request;
  if (fork && resume === undefined) refuse('fork needs resume');
  if (resumeAt !== undefined && (resume === undefined || resume === 'latest'))
    refuse('resumeAt needs resume with an id');
  if (sessionId !== undefined && resume !== undefined && !fork) refuse('sessionId and resume exclude each other');
  for (const arg of args) {
    const flag = arg.split('=', 1)[0] ?? arg;
    if (arg === '--' || agent.program.reservedFlags.includes(flag)) refuse(`${flag} is set by glassbox, not by args`);
  }
}

function refuse(message: string): never {
  throw new GlassboxError('invalid-request', message);
}
