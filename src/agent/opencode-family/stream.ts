/**
 * Reads `run --format json` of the opencode family. The stream has no beginning and no end of its own: the first line brings the
 * session, the end of the process is the result, and the reason of the last step tells whether it is a good one.
 */
import { type Denial, defined, type ErrorFacts, type Usage } from '../../event/index.js';
import { addUsage } from '../../ledger/index.js';
import type { Protocol } from '../agent.js';
import { type Body, createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf, type Hints } from '../fault.js';
import { anyString, type Json, lookUp, members, number, string } from '../field.js';
import { createPrintOnlyProtocol } from '../print-only.js';
import { readTool, TOOLS } from './tools.js';

export function createStreamProtocol(request: Partial<CommandRequest>, hints: Hints): Protocol {
  const chronicle = createChronicle(TOOLS);
  let answer: string | undefined;
  let usage: Usage | undefined;
  let usd: number | undefined;
  let steps = 0;
  /** Why the last model call ended; absent while one runs. */
  let reason: string | undefined;
  const denials: Denial[] = [];
  /** An error is fatal only when nothing follows it: after an overflow the program compacts and goes on. */
  let pending: (ErrorFacts & { isAbort: boolean }) | undefined;
  /** Position of the next block in each open message. */
  const blocks = new Map<string, number>();
  let finished: string | undefined;

  const lines: Readonly<Record<string, (part: Json, line: Json) => void>> = {
    step_start(part) {
      reason = undefined;
      chronicle.startMessage(messageOf(part));
    },
    text(part) {
      const text = anyString(part.text) ?? '';
      if (part.synthetic === true) {
        if (members(part.metadata).compaction_continue === true) chronicle.endCompaction();
        chronicle.write({ type: 'user-message', text, synthetic: true });
        return;
      }
      answer = text;
      block('text', part, text);
    },
    reasoning(part) {
      block('thinking', part, anyString(part.text) ?? '');
    },
    tool_use(part) {
      const id = string(part.callID) ?? string(part.id) ?? 'tool';
      const { name, input, result, effects, task } = readTool(id, part);
      chronicle.startTool(id, { name, messageId: string(part.messageID) });
      if (!chronicle.tool(id)) return;
      chronicle.inputTool(id, input);
      if (members(part.state).status === 'running') return;
      for (const effect of effects) chronicle.write(effect);
      if (task) {
        const { summary, ...start } = task;
        chronicle.startTask(start);
        chronicle.endTask(task.id, { toolId: id, status: 'ok', summary });
      }
      if (result.status === 'denied') {
        denials.push({ toolName: name, toolId: id, input });
        chronicle.write({ type: 'permission-deny', toolName: name, toolId: id, message: result.output });
      }
      chronicle.endTool(id, result);
    },
    step_finish(part) {
      const spent = usageOf(part.tokens);
      usage = addUsage(usage, spent);
      const cost = number(part.cost);
      usd = cost === undefined ? usd : (usd ?? 0) + cost;
      steps += 1;
      reason = string(part.reason) ?? 'unknown';
      finished = messageOf(part);
      blocks.delete(finished);
      chronicle.endMessage(finished, { usage: spent, stopReason: reason });
      chronicle.write({ type: 'usage-update', usage, cost: costSoFar() });
    },
    error(_, { error }) {
      const { name, data } = members(error);
      const { message, statusCode } = members(data);
      const words = string(error) ?? string(message) ?? string(name) ?? 'The agent failed.';
      pending = { ...faultOf(words, hints, number(statusCode)), isAbort: name === 'MessageAbortedError' };
    },
  };

  /** A part may be printed after the step it belongs to was finished; then it is a message of its own. */
  function block(kind: 'text' | 'thinking', part: Json, text: string): void {
    const message = messageOf(part);
    if (message === finished) {
      const own = string(part.id) ?? `${message}-late`;
      chronicle.endText(kind, own, 0, text);
      chronicle.endMessage(own);
      return;
    }
    const index = blocks.get(message) ?? 0;
    blocks.set(message, index + 1);
    chronicle.endText(kind, message, index, text);
  }

  function settle(fatal: boolean): void {
    if (!pending) return;
    const { isAbort: _, ...error } = pending;
    chronicle.write({ type: 'agent-error', fatal, ...error });
    pending = undefined;
  }

  /** Zero is what it says when it knows no price. */
  const costSoFar = () => (usd ? ({ usd, scope: 'turn', origin: 'reported' } as const) : undefined);

  function result(): Body<'turn-end'> {
    const facts = {
      text: answer,
      usage,
      cost: costSoFar(),
      steps,
      stopReason: reason,
      denials: denials.length > 0 ? denials : undefined,
    };
    if (pending) {
      const { isAbort, ...error } = pending;
      return { ...facts, outcome: isAbort ? 'interrupted' : 'failed', error };
    }
    if (reason === 'stop') return { ...facts, outcome: 'success' };
    const error = reason === 'tool-calls' && denials.length > 0 ? AFTER_REJECTION : lookUp(BAD_ENDINGS, reason);
    return error ? { ...facts, outcome: 'failed', error } : { ...facts, outcome: 'unknown' };
  }

  function startSession(line: Json): void {
    const id = string(line.sessionID);
    if (id === undefined || id === chronicle.sessionId) return;
    const { resume, model, cwd } = request;
    const isNew = chronicle.sessionId === undefined;
    chronicle.startSession(id, { model, cwd, resumed: resume === undefined ? undefined : true });
    if (isNew) chronicle.tellFork(request);
  }

  return createPrintOnlyProtocol(chronicle, {
    prompt: request.prompt,
    read(line) {
      const read = lookUp(lines, string(line.type));
      settle(false);
      if (!read) return false;
      startSession(line);
      chronicle.startTurn();
      read(members(line.part), line);
      return true;
    },
    end() {
      const ending = result();
      settle(true);
      // The end of the process is the normal ending; without a finished step it is a cut.
      if (ending.outcome !== 'unknown' && chronicle.inTurn) chronicle.endTurn(ending);
      chronicle.end(ending);
    },
    idle: () => false,
  });
}

function messageOf(part: Json): string {
  return string(part.messageID) ?? string(part.id) ?? 'message';
}

/** `input` is counted without cached tokens, `output` without reasoning. */
function usageOf(tokens: unknown): Usage | undefined {
  const { input, output, reasoning, cache } = members(tokens);
  const { read, write } = members(cache);
  const [inputTokens, outputTokens, thinkingTokens] = [number(input), number(output), number(reasoning)];
  if (!inputTokens && !outputTokens) return undefined;
  return defined({
    inputTokens,
    outputTokens: outputTokens === undefined ? undefined : outputTokens + (thinkingTokens ?? 0),
    cacheReadTokens: number(read),
    cacheWriteTokens: number(write),
    thinkingTokens,
  });
}

/** A rejected permission ends the run without a word, with exit status 0. */
const AFTER_REJECTION: ErrorFacts = {
  category: 'config',
  message: 'The run ended because a permission was refused.',
  hint: 'Run it as a conversation to be asked, or allow the tool.',
};

const BAD_ENDINGS: Readonly<Record<string, ErrorFacts>> = {
  length: { category: 'max-output', message: 'The answer was cut at the longest length the model may give.' },
  'content-filter': { category: 'refusal', message: 'The provider filtered the answer.' },
};
