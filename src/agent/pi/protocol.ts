/** Reads pi's events, which are the same with `--mode json` and `--mode rpc`, and talks back in the latter. */
import type { Cost, ErrorFacts, Usage } from '../../event/index.js';
import { addUsage } from '../../ledger/index.js';
import type { Action, Decision } from '../action.js';
import type { Protocol, Step } from '../agent.js';
import { createAttachedWords, type Said } from '../attachment.js';
import { type Body, createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf, type Hints } from '../fault.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import { askFrom } from './ask.js';
import { isConversation } from './command.js';
import { createMessages, type Spoken } from './speech.js';
import { createTools, TOOLS } from './tools.js';

const HINTS: Hints = {
  auth: 'Run `pi` and `/login`, or set the key of the provider.',
  'model-not-found': 'Choose another model; `pi --list-models` lists them.',
};

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  const tools = createTools(chronicle);
  const messages = createMessages(chronicle);
  const attached = createAttachedWords();
  const talks = isConversation(request);
  /** Calls that run, in order: a dialog is about the latest. */
  const running = new Set<string>();
  let send: string[] = [];
  let commands = 0;
  let last: Spoken | undefined;
  let usage: Usage | undefined;
  let usd: number | undefined;
  let steps = 0;
  /** A failed end, which counts only when no retry follows. */
  let held: Body<'turn-end'> | undefined;
  /** From 0.87 on it is told whether one follows. */
  let willRetry: boolean | undefined;
  /** Prompts that are sent and have not begun. */
  let expected = 0;

  const lines: Readonly<Record<string, (line: Json, bytes: number) => void>> = {
    session({ id, cwd }) {
      startSession(string(id), { cwd: string(cwd), model: request.model });
    },
    response(line) {
      if (line.success === false) refused(anyString(line.command) ?? '', string(line.error) ?? 'unspecified');
      else if (line.command === 'get_state') {
        const { sessionId, model } = members(line.data);
        startSession(string(sessionId), { model: string(members(model).id), cwd: request.cwd });
      }
    },
    agent_start() {
      held = undefined;
      expected = 0;
      chronicle.startTurn();
    },
    agent_end(line) {
      const result = resultOf(last, { usage, usd, steps });
      willRetry = typeof line.willRetry === 'boolean' ? line.willRetry : undefined;
      if (result.outcome !== 'failed' || willRetry === false) {
        endTurn(result);
        return;
      }
      held = result;
      // Without a retry nothing more is said; an answer to this proves it.
      if (talks && willRetry === undefined) command('get_state');
    },
    /** Nothing more follows by itself: a retry that was announced was given up. */
    agent_settled() {
      if (held) endTurn(held);
    },
    turn_start() {},
    turn_end() {
      steps += 1;
    },
    message_start({ message }) {
      const { role, ...rest } = members(message);
      if (role !== 'assistant') return;
      // A stream may have been joined after its start.
      chronicle.startTurn();
      messages.start(rest);
    },
    message_update({ assistantMessageEvent }, bytes) {
      const event = members(assistantMessageEvent);
      if (messages.update(event)) return;
      chronicle.write({ type: 'unknown', wireType: 'message_update', wireSubtype: string(event.type), bytes });
    },
    message_end({ message }) {
      const { role, content, ...rest } = members(message);
      if (role === 'user') hear(textOf(content));
      if (role !== 'assistant') return;
      chronicle.startTurn();
      last = messages.end({ content, ...rest });
      usage = addUsage(usage, last.usage);
      if (last.usage && last.usd !== undefined) usd = (usd ?? 0) + last.usd;
      if (last.usage) chronicle.write({ type: 'usage-update', usage, cost: costOf(usd) });
    },
    tool_execution_start({ toolCallId, toolName, args }) {
      const id = anyString(toolCallId) ?? '';
      running.add(id);
      chronicle.startTurn();
      chronicle.startTool(id, { name: string(toolName) ?? 'tool' });
      chronicle.inputTool(id, args);
    },
    tool_execution_update({ toolCallId, partialResult }) {
      tools.update(anyString(toolCallId) ?? '', members(partialResult));
    },
    tool_execution_end(line) {
      running.delete(anyString(line.toolCallId) ?? '');
      tools.end(line);
    },
    auto_retry_start(line) {
      held = undefined;
      chronicle.retractMessages(undefined, 'stream-broken');
      writeRetry(line);
    },
    auto_retry_end() {},
    summarization_retry_scheduled: writeRetry,
    summarization_retry_attempt_start() {},
    summarization_retry_finished() {},
    compaction_start: ({ reason }) => chronicle.startCompaction({ trigger: string(reason) }),
    compaction_end({ reason, result, errorMessage, aborted }) {
      const { tokensBefore, estimatedTokensAfter } = members(result);
      chronicle.endCompaction({
        trigger: string(reason),
        tokensBefore: number(tokensBefore),
        tokensAfter: number(estimatedTokensAfter),
        error: string(errorMessage) ?? (aborted === true ? 'aborted' : undefined),
      });
    },
    queue_update() {},
    /** What an extension or a retry noted in the session's file; nothing that was said or done. */
    entry_appended() {},
    /** The output of a command that the host ran itself. */
    bash_execution_update() {},
    thinking_level_changed() {},
    session_info_changed: ({ name }) => chronicle.write({ type: 'session-update', title: string(name) }),
    extension_ui_request: readDialog,
    extension_error: ({ error }) =>
      chronicle.write({ type: 'warning', code: 'extension-error', message: string(error) ?? 'unspecified' }),
  };

  function writeRetry({ attempt, maxAttempts, delayMs, errorMessage }: Json): void {
    const why = string(errorMessage);
    const retry = { attempt: number(attempt), maxAttempts: number(maxAttempts), delayMs: number(delayMs), why };
    chronicle.write({ type: 'retry', ...retry, httpStatus: faultOf(why ?? '').httpStatus });
  }

  function readDialog(line: Json): void {
    const id = anyString(line.id) ?? '';
    const [latest = ''] = [...running].slice(-1);
    const ask = askFrom(line, chronicle.tool(latest));
    if (ask) chronicle.ask(id, ask, (body) => respond(id, body));
    else if (line.method === 'notify') {
      const level = line.notifyType === 'info' || line.notifyType === undefined ? 'info' : 'warning';
      chronicle.write({ type: 'status', code: 'notice', text: string(line.message), level });
    }
  }

  function respond(id: string, body: Json): void {
    send.push(JSON.stringify({ type: 'extension_ui_response', id, ...body }));
  }

  function startSession(id: string | undefined, facts: { cwd: string | undefined; model: string | undefined }): void {
    if (id === undefined || id === chronicle.sessionId) return;
    const isNew = chronicle.sessionId === undefined;
    chronicle.startSession(id, { ...facts, resumed: request.resume === undefined ? undefined : true });
    if (isNew) chronicle.tellFork(request);
  }

  function endTurn(result: Body<'turn-end'>): void {
    if (result.outcome === 'failed' && result.error)
      chronicle.write({ type: 'agent-error', fatal: true, ...result.error });
    chronicle.endTurn(result);
    running.clear();
    tools.isAborting = false;
    last = undefined;
    held = undefined;
    usage = undefined;
    usd = undefined;
    steps = 0;
  }

  function refused(name: string, message: string): void {
    if (name !== 'prompt') {
      chronicle.write({ type: 'warning', code: 'command-refused', message: `${name}: ${message}` });
      return;
    }
    expected = Math.max(0, expected - 1);
    if (!chronicle.inTurn) endTurn({ outcome: 'failed', error: faultOf(message, HINTS) });
  }

  function command(type: string, body: Json = {}): void {
    commands += 1;
    send.push(JSON.stringify({ id: String(commands), type, ...body }));
  }

  function hear(text: string): void {
    chronicle.write({ type: 'user-message', text, attachments: attached.take(text) });
  }

  function say(said: Said): void {
    attached.give(said);
    const images = said.attachments?.map(({ mimeType, data }) => ({ type: 'image', mimeType, data }));
    // Into a running turn or as a new one, whichever is the case when it arrives.
    command('prompt', { message: said.text, ...(images?.length && { images }), streamingBehavior: 'steer' });
    if (!chronicle.inTurn) expected += 1;
  }

  function act(action: Action): Step | 'unsupported' {
    if (!talks || action.type === 'set-permission') return 'unsupported';
    if (action.type === 'say') say(action);
    else if (action.type === 'interrupt') abort();
    else if (action.type === 'set-model') {
      const [provider, ...modelId] = action.model.split('/');
      if (modelId.length === 0) return 'unsupported';
      command('set_model', { provider, modelId: modelId.join('/') });
    } else decide(action);
    return step();
  }

  function abort(): void {
    tools.isAborting = chronicle.inTurn;
    command('abort');
    // A dialog outlives an abort, and the turn waits for it.
    chronicle.cancelAsks();
  }

  function decide(decision: Decision): void {
    if (chronicle.decide(decision) && decision.type === 'deny' && decision.interrupt === true) abort();
  }

  function step(): Step {
    const sent = send;
    send = [];
    return { events: chronicle.take(), send: sent };
  }

  return {
    start() {
      if (!talks) return step();
      command('get_state');
      const { prompt, attachments } = request;
      if (prompt !== undefined) say({ text: prompt, attachments });
      return step();
    },
    receive(value, bytes) {
      const line = members(value);
      const type = string(line.type);
      const read = lookUp(lines, type);
      if (
        held &&
        willRetry !== true &&
        !/^(agent_start|auto_retry_start|compaction_start|compaction_end)$/.test(type ?? '')
      )
        endTurn(held);
      if (read) read(line, bytes);
      else chronicle.write({ type: 'unknown', wireType: type ?? typeof value, bytes });
      return step();
    },
    act,
    end() {
      if (held) endTurn(held);
      // What was told before the stream was cut is spent all the same.
      chronicle.end({ outcome: 'unknown', usage, cost: costOf(usd, 'lower-bound'), steps: steps || undefined });
      return step();
    },
    idle: () => !chronicle.inTurn && !held && expected === 0,
  };
}

/** The exit status is 0 even when the model could not be reached; the last message tells. */
function resultOf(
  last: Spoken | undefined,
  spent: { usage: Usage | undefined; usd: number | undefined; steps: number },
): Body<'turn-end'> {
  const { text, stopReason, errorMessage } = last ?? {};
  const facts = { text, stopReason, usage: spent.usage, cost: costOf(spent.usd), steps: spent.steps };
  // From 0.87 on an abort while a tool runs breaks the model call behind it, and that is called an error.
  if (stopReason === 'aborted' || (stopReason === 'error' && ABORTED.test(errorMessage ?? '')))
    return { ...facts, outcome: 'interrupted' };
  if (stopReason === 'error')
    return { ...facts, outcome: 'failed', error: faultOf(errorMessage ?? 'The model failed.', HINTS) };
  if (stopReason === 'length') return { ...facts, outcome: 'failed', error: CUT };
  return { ...facts, outcome: stopReason === undefined ? 'unknown' : 'success' };
}

const ABORTED = /^(This|The) operation was aborted/;

const CUT: ErrorFacts = {
  category: 'max-output',
  message: 'The answer was cut at the longest length the model may give.',
};

/** Zero is what it says when it knows no price. */
function costOf(usd: number | undefined, origin: Cost['origin'] = 'reported'): Cost | undefined {
  return usd ? { usd, scope: 'turn', origin } : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .flatMap((block) => anyString(block.text) ?? [])
    .join('\n');
}
