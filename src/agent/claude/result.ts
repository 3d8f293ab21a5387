/** A `result` line as the end of a turn. Its subtype alone lies: an API failure is `success` with `is_error`. */

import {
  type Cost,
  type CostOrigin,
  defined,
  type ErrorFacts,
  type ModelUsage,
  type TurnOutcome,
  type Usage,
} from '../../event/index.js';
import type { Body } from '../chronicle/chronicle.js';
import { denialsOf } from '../claude-lines/result.js';
import { readUsage } from '../claude-lines/usage.js';
import { INTERRUPTED } from '../fault.js';
import { type Json, lookUp, number, object, string } from '../field.js';
import { errorFacts } from './fault.js';

export interface TurnMemory {
  /** The agent said that a person interrupted it. */
  interrupted: boolean;
  /** The word and text of the last failed model call. */
  error: ErrorFacts | undefined;
  /** The uuid of the last line of the main conversation: up to it, and with it, the session can be resumed. */
  lastLine: string | undefined;
}

export function newTurnMemory(): TurnMemory {
  return { interrupted: false, error: undefined, lastLine: undefined };
}

export function readResult(line: Json, memory: TurnMemory): Body<'turn-end'> {
  const outcome = outcomeOf(line, memory);
  const structured = line.structured_output;
  return {
    outcome,
    text: typeof line.result === 'string' ? line.result : undefined,
    error: outcome === 'success' ? undefined : errorOf(line, memory, outcome),
    cost: costOf(line, outcome),
    usage: usageOf(line, outcome),
    modelUsage: modelUsageOf(line.modelUsage),
    turnModelUsage: turnModelUsageOf(line),
    durationMs: number(line.duration_ms),
    apiDurationMs: number(line.duration_api_ms),
    steps: number(line.num_turns),
    stopReason: string(line.stop_reason),
    reason: string(line.terminal_reason),
    denials: denialsOf(line.permission_denials),
    structuredOutput: structured ?? undefined,
    origin: string(object(line.origin)?.kind),
    resumeAt: memory.lastLine,
  };
}

function outcomeOf(line: Json, memory: TurnMemory): TurnOutcome {
  const subtype = string(line.subtype) ?? '';
  const reason = string(line.terminal_reason) ?? '';
  if (subtype === 'error_max_turns') return 'max-turns';
  if (subtype === 'error_max_budget_usd') return 'over-budget';
  if (reason.startsWith('aborted')) return 'interrupted';
  // Up to 2.0.77 nothing in the result tells an interrupt from a fault.
  if (subtype === 'error_during_execution' && memory.interrupted) return 'interrupted';
  return line.is_error === true || subtype.startsWith('error') ? 'failed' : 'success';
}

function errorOf(line: Json, memory: TurnMemory, outcome: TurnOutcome): ErrorFacts {
  if (outcome === 'interrupted') return INTERRUPTED;
  const httpStatus = number(line.api_error_status);
  const subtype = string(line.subtype);
  const message =
    objectsOrStrings(line.errors)[0] ??
    string(line.result) ??
    string(line.error) ??
    lookUp(MESSAGES, subtype) ??
    subtype ??
    (httpStatus === undefined ? 'The turn failed.' : `HTTP status ${httpStatus}`);
  if (line.startup_failure_reason !== undefined || line.invalid_config_file !== undefined) {
    return { category: 'config', message };
  }
  if (memory.error) return defined({ ...memory.error, message, httpStatus: httpStatus ?? memory.error.httpStatus });
  return errorFacts(undefined, message, httpStatus);
}

const MESSAGES: Record<string, string> = {
  error_max_turns: 'The maximum number of turns was reached.',
  error_max_budget_usd: 'The budget was used up.',
  error_max_structured_output_retries: 'The answer never matched the schema.',
  error_during_execution: 'The turn ended with an error.',
};

/** Cumulative over the turns of a process and over resumes; absent stays absent. */
function costOf(line: Json, outcome: TurnOutcome): Cost | undefined {
  const usd = number(line.total_cost_usd) ?? number(line.cost_usd);
  if (usd === undefined) return undefined;
  return defined({
    usd,
    scope: 'session',
    origin: originOf(line, outcome),
    turnUsd: sumUsd(line.model_usage_since_last_result),
  });
}

function originOf(line: Json, outcome: TurnOutcome): CostOrigin {
  // Text that was streaming when the turn was cut is not counted.
  if (outcome === 'interrupted' && line.terminal_reason !== 'aborted_tools') return 'lower-bound';
  // The program knows no price for the model and takes that of another.
  const models = object(line.modelUsage);
  for (const model in models) if (object(models[model])?.costBasis === 'unknown') return 'computed';
  return 'reported';
}

/** Told only where it is not all of `modelUsage`. */
function turnModelUsageOf(line: Json): ModelUsage[] | undefined {
  const since = line.model_usage_since_last_result;
  if (sumUsd(since) === sumUsd(line.modelUsage)) return undefined;
  const turn = modelUsageOf(since);
  return turn?.length ? turn : undefined;
}

/** A turn that was cut or ran out of money reports zeros although it spent tokens: unknown, not zero. */
function usageOf(line: Json, outcome: TurnOutcome): Usage | undefined {
  const usage = readUsage(line.usage, true);
  if (!usage || (outcome !== 'interrupted' && outcome !== 'over-budget')) return usage;
  return Object.values(usage).every((count) => !count) ? undefined : usage;
}

function sumUsd(value: unknown): number | undefined {
  const models = object(value);
  if (!models) return undefined;
  let sum = 0;
  for (const model in models) sum += number(object(models[model])?.costUSD) ?? 0;
  return sum;
}

function modelUsageOf(value: unknown): ModelUsage[] | undefined {
  const models = object(value);
  if (!models) return undefined;
  return Object.keys(models).map((model) => {
    const usage = object(models[model]) ?? {};
    return defined({
      model,
      inputTokens: number(usage.inputTokens),
      outputTokens: number(usage.outputTokens),
      cacheReadTokens: number(usage.cacheReadInputTokens),
      cacheWriteTokens: number(usage.cacheCreationInputTokens),
      thinkingTokens: number(usage.thinkingTokens) || undefined,
      usd: number(usage.costUSD),
    });
  });
}

function objectsOrStrings(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => string(entry) ?? string(object(entry)?.message) ?? []);
}
