/** Reads `codex exec --json`: one turn per process, whole items, no questions asked. */
import type { Cost, ErrorFacts } from '../../event/index.js';
import type { Protocol } from '../agent.js';
import { createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { anyString, isObject, type Json, members } from '../field.js';
import { computeCost } from '../price.js';
import { createPrintOnlyProtocol } from '../print-only.js';
import { codexFault, retryIn } from './fault.js';
import { readLimits } from './limit.js';
import { ratesOf } from './price.js';
import { createItemWriter } from './speech.js';
import { structuredAnswer, usageOf } from './wire.js';

export function createStreamProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle();
  const items = createItemWriter(chronicle);
  /** An `error` line is fatal only when `turn.failed` follows, so it waits for the next line. */
  let pending: ErrorFacts | undefined;

  function read(line: Json, bytes: number, value: unknown): boolean {
    const type = anyString(line.type) ?? '';
    if (type !== 'turn.failed') settle(false);
    const limit = readLimits(line.rate_limits);
    if (limit) chronicle.write(limit);
    if (!write(type, line)) {
      const wireSubtype = anyString(members(line.item).type);
      chronicle.write({ type: 'unknown', wireType: type === '' ? nameOf(value) : type, wireSubtype, bytes });
    }
    return true;
  }

  function write(type: string, line: Json): boolean {
    switch (type) {
      case 'thread.started':
        startSession(anyString(line.thread_id));
        return true;
      case 'turn.started':
        chronicle.startTurn();
        return true;
      case 'item.started':
        return items.write(members(line.item), 'started');
      case 'item.updated':
        return items.write(members(line.item), 'updated');
      case 'item.completed':
        return items.write(members(line.item), 'completed');
      case 'turn.completed':
        chronicle.endTurn({
          outcome: 'success',
          text: items.answer,
          ...spent(line.usage),
          structuredOutput: structuredAnswer(request, items.answer),
        });
        return true;
      case 'turn.failed': {
        const error = codexFault(anyString(members(line.error).message) ?? 'The turn failed.');
        pending = error;
        settle(true);
        chronicle.endTurn({ outcome: 'failed', text: items.answer, error });
        return true;
      }
      // Tokens so far, and the limits beside them: told by releases that print every message of the session.
      case 'token_count':
        return true;
      case 'error':
        fail(anyString(line.message) ?? 'unspecified');
        return true;
      default:
        return false;
    }
  }

  function fail(message: string): void {
    const retry = retryIn(message);
    if (retry) chronicle.write(retry);
    else pending = codexFault(message);
  }

  function settle(fatal: boolean): void {
    if (pending) chronicle.write({ type: 'agent-error', fatal, ...pending });
    pending = undefined;
  }

  function startSession(id: string | undefined): void {
    // The stream names neither; what was asked for is what runs.
    chronicle.startSession(id, { model: request.model, cwd: request.cwd });
    const { resume: previousId, fork } = request;
    if (id === undefined || previousId === undefined || previousId === 'latest' || previousId === id) return;
    if (fork === true) chronicle.tellFork(request);
    // 0.166 starts afresh, without a word, when the id is not of its own form.
    else
      chronicle.write({
        type: 'warning',
        code: 'session-not-resumed',
        message: 'Codex started a new session instead of resuming.',
      });
  }

  /** From 0.125 on usage is the total of the thread, earlier processes included; older ones lack the reasoning count. */
  function spent(value: unknown) {
    const usage = usageOf(value);
    const isFresh = request.mode !== undefined && request.resume === undefined;
    const isTotal = members(value).reasoning_output_tokens !== undefined;
    const scope: Cost['scope'] = isTotal && !isFresh ? 'session' : 'turn';
    const cost = computeCost(usage, ratesOf(request.model), scope);
    return { usage, cost, ...(usage && scope === 'session' && { usageScope: scope }) };
  }

  return createPrintOnlyProtocol(chronicle, {
    prompt: request.prompt,
    read,
    end() {
      const error = pending;
      settle(false);
      chronicle.end({ outcome: 'unknown', error });
    },
    idle: () => false,
  });
}

function nameOf(value: unknown): string {
  return isObject(value) ? 'object' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
