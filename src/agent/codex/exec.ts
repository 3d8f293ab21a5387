/** Reads `codex exec --json`: one turn per process, whole items, no questions asked. */
import type { Cost, ErrorFacts } from '../../event/index.js';
import type { Protocol, Step } from '../agent.js';
import { createChronicle } from '../chronicle.js';
import type { CommandRequest } from '../command.js';
import { anyString, isObject, members } from '../field.js';
import { computeCost } from '../price.js';
import { codexFault, retryIn } from './fault.js';
import { createItemWriter } from './item.js';
import { ratesOf } from './price.js';
import { structuredAnswer, usageOf } from './wire.js';

export function createExecProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle();
  const items = createItemWriter(chronicle);
  /** An `error` line is fatal only when `turn.failed` follows, so it waits for the next line. */
  let pending: ErrorFacts | undefined;

  function receive(value: unknown, bytes: number): Step {
    const line = members(value);
    const type = anyString(line.type) ?? '';
    if (type !== 'turn.failed') settle(false);
    if (!write(type, line)) {
      const wireSubtype = anyString(members(line.item).type);
      chronicle.write({ type: 'unknown', wireType: type === '' ? nameOf(value) : type, wireSubtype, bytes });
    }
    return step();
  }

  function write(type: string, line: Readonly<Record<string, unknown>>): boolean {
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
    if (fork === true) chronicle.write({ type: 'session-change', previousId, newId: id, reason: 'fork' });
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

  const step = (): Step => ({ events: chronicle.take(), send: [] });

  return {
    start() {
      if (request.prompt !== undefined) chronicle.say(request.prompt);
      return step();
    },
    receive,
    act: () => 'unsupported',
    end() {
      const error = pending;
      settle(false);
      chronicle.end({ outcome: 'unknown', error });
      return step();
    },
    idle: () => false,
  };
}

function nameOf(value: unknown): string {
  return isObject(value) ? 'object' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
