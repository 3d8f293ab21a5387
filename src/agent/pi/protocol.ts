/** Reads pi's events, which are the same with `--mode json` and `--mode rpc`, and talks back in the latter. */
import type { Cost, ErrorFacts, Usage } from '../../event/index.js';
import type { Action } from '../action.js';
import type { Protocol, Step } from '../agent.js';
import { type Body, createChronicle } from '../chronicle.js';
import type { CommandRequest } from '../command.js';
import { type Decision, resolutionOf } from '../decision.js';
import { faultOf, type Hints } from '../fault.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import { addUsage } from '../usage.js';
import { isConversation } from './command.js';
import { type Ask, askFrom } from './dialog.js';
import { createMessages, type Spoken } from './message.js';
import { createTools } from './tool.js';

const HINTS: Hints = {
  auth: 'Run `pi` and `/login`, or set the key of the provider.',
  'model-not-found': 'Choose another model; `pi --list-models` lists them.',
};

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle();
  const tools = createTools(chronicle);
  const messages = createMessages(chronicle, tools);
  const talks = isConversation(request);
  const asks = new Map<string, Ask>();
  /** Calls that run, in order: a dialog is about the latest. */
  const running = new Map<string, string>();
  let send: string[] = [];
  let commands = 0;
  let last: Spoken | undefined;
  let usage: Usage | undefined;
  let usd: number | undefined;
  let steps = 0;
  /** A failed end, which counts only when no retry follows. */
  let held: Body<'turn-end'> | undefined;
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
    agent_end() {
      const result = resultOf(last, { usage, usd, steps });
      if (result.outcome !== 'failed') endTurn(result);
      else {
        held = result;
        // Without a retry nothing more is said; an answer to this proves it.
        if (talks) command('get_state');
      }
    },
    turn_start() {},
    turn_end() {
      steps += 1;
    },
    message_start({ message }) {
      const { role, ...rest } = members(message);
      if (role === 'assistant') messages.start(rest);
    },
    message_update({ assistantMessageEvent }, bytes) {
      const event = members(assistantMessageEvent);
      if (messages.update(event)) return;
      chronicle.write({ type: 'unknown', wireType: 'message_update', wireSubtype: string(event.type), bytes });
    },
    message_end({ message }) {
      const { role, content, ...rest } = members(message);
      if (role === 'user') chronicle.write({ type: 'user-message', text: textOf(content) });
      if (role !== 'assistant') return;
      last = messages.end({ content, ...rest });
      usage = addUsage(usage, last.usage);
      if (last.usage && last.usd !== undefined) usd = (usd ?? 0) + last.usd;
      if (last.usage) chronicle.write({ type: 'usage-update', usage, cost: costOf(usd) });
    },
    tool_execution_start({ toolCallId, toolName, args }) {
      const id = anyString(toolCallId) ?? '';
      running.set(id, string(toolName) ?? 'tool');
      tools.start(id, string(toolName) ?? 'tool', args);
    },
    tool_execution_update({ toolCallId, partialResult }) {
      tools.update(anyString(toolCallId) ?? '', members(partialResult));
    },
    tool_execution_end(line) {
      running.delete(anyString(line.toolCallId) ?? '');
      tools.end(line);
    },
    auto_retry_start({ attempt, maxAttempts, delayMs, errorMessage }) {
      held = undefined;
      chronicle.retractMessages(undefined, 'stream-broken');
      const why = string(errorMessage);
      const retry = { attempt: number(attempt), maxAttempts: number(maxAttempts), delayMs: number(delayMs), why };
      chronicle.write({ type: 'retry', ...retry, httpStatus: faultOf(why ?? '').httpStatus });
    },
    auto_retry_end() {},
    compaction_start: ({ reason }) => chronicle.write({ type: 'compaction-start', trigger: string(reason) }),
    compaction_end({ reason, result, errorMessage }) {
      const tokensBefore = number(members(result).tokensBefore);
      chronicle.write({ type: 'compaction-end', trigger: string(reason), tokensBefore, error: string(errorMessage) });
    },
    queue_update() {},
    thinking_level_changed() {},
    session_info_changed: ({ name }) => chronicle.write({ type: 'session-update', title: string(name) }),
    extension_ui_request: readDialog,
    extension_error: ({ error }) =>
      chronicle.write({ type: 'warning', code: 'extension-error', message: string(error) ?? 'unspecified' }),
  };

  function readDialog(line: Json): void {
    const id = anyString(line.id) ?? '';
    const [tool] = [...running].slice(-1).map(([toolId, name]) => ({ id: toolId, name }));
    const ask = askFrom(line, tool);
    if (ask) {
      asks.set(id, ask);
      if (ask.toolId !== undefined) tools.ask(ask.toolId);
      chronicle.ask({ id, ...ask.request });
    } else if (line.method === 'notify') {
      const level = line.notifyType === 'info' || line.notifyType === undefined ? 'info' : 'warning';
      chronicle.write({ type: 'status', code: 'notice', text: string(line.message), level });
    }
  }

  function startSession(id: string | undefined, facts: { cwd?: string; model?: string }): void {
    if (id === undefined || id === chronicle.sessionId) return;
    const { resume: previousId, fork } = request;
    const isNew = chronicle.sessionId === undefined;
    chronicle.startSession(id, { ...facts, resumed: previousId === undefined ? undefined : true });
    if (isNew && fork === true) chronicle.write({ type: 'session-change', previousId, newId: id, reason: 'fork' });
  }

  function endTurn(result: Body<'turn-end'>): void {
    if (result.outcome === 'failed' && result.error)
      chronicle.write({ type: 'agent-error', fatal: true, ...result.error });
    chronicle.endTurn(result);
    asks.clear();
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

  function say(message: string): void {
    // Into a running turn or as a new one, whichever is the case when it arrives.
    command('prompt', { message, streamingBehavior: 'steer' });
    if (!chronicle.inTurn) expected += 1;
  }

  function act(action: Action): Step | 'unsupported' {
    if (!talks || action.type === 'set-permission') return 'unsupported';
    if (action.type === 'say') say(action.text);
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
    for (const id of asks.keys()) {
      send.push(JSON.stringify({ type: 'extension_ui_response', id, cancelled: true }));
      chronicle.withdraw(id, 'interrupt');
    }
    asks.clear();
  }

  function decide(decision: Decision): void {
    const ask = asks.get(decision.id);
    if (!ask) return;
    asks.delete(decision.id);
    if (ask.toolId !== undefined) tools.decide(ask.toolId, decision.type === 'deny' ? 'deny' : 'allow');
    send.push(JSON.stringify({ type: 'extension_ui_response', id: decision.id, ...ask.reply(decision) }));
    chronicle.resolve(resolutionOf(decision));
    if (decision.type === 'deny' && decision.interrupt === true) abort();
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
      if (request.prompt !== undefined) say(request.prompt);
      return step();
    },
    receive(value, bytes) {
      const line = members(value);
      const type = string(line.type);
      const read = lookUp(lines, type);
      if (held && !/^(agent_start|auto_retry_start|compaction_start|compaction_end)$/.test(type ?? '')) endTurn(held);
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
  if (stopReason === 'aborted') return { ...facts, outcome: 'interrupted' };
  if (stopReason === 'error')
    return { ...facts, outcome: 'failed', error: faultOf(errorMessage ?? 'The model failed.', HINTS) };
  if (stopReason === 'length') return { ...facts, outcome: 'failed', error: CUT };
  return { ...facts, outcome: stopReason === undefined ? 'unknown' : 'success' };
}

const CUT: ErrorFacts = {
  category: 'max-output',
  message: 'The answer was cut at the longest length the model may give.',
};

function costOf(usd: number | undefined, origin: Cost['origin'] = 'reported'): Cost | undefined {
  return usd === undefined ? undefined : { usd, scope: 'turn', origin };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .flatMap((block) => anyString(block.text) ?? [])
    .join('\n');
}
