/** Talks to `codex app-server`: one thread, turns that can be steered and interrupted, questions that wait for an answer. */
import type { ErrorFacts, TurnOutcome } from '../../event/index.js';
import type { Action, Decision } from '../action.js';
import type { Protocol, Step } from '../agent.js';
import { createAttachedWords, type Said } from '../attachment.js';
import { createChronicle } from '../chronicle/chronicle.js';
import { type CommandRequest, PERMISSIONS } from '../command.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import { converse, type IncomingReaders } from '../json-rpc/conversation.js';
import { createPeer } from '../json-rpc/peer.js';
import { askFrom } from './ask.js';
import { codexFault } from './fault.js';
import { createNoticeWriter, errorFacts } from './notice.js';
import { initializeParams, inputOf, openThread, turnPermission } from './request.js';
import { createThreads } from './speaker.js';
import { createItemWriter } from './speech.js';
import { createSpend } from './usage.js';
import { structuredAnswer } from './wire.js';

export function createConversationProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle();
  const peer = createPeer({ versioned: false });
  const attached = createAttachedWords();
  const items = createItemWriter(chronicle, attached);
  const writeNotice = createNoticeWriter(chronicle);
  const spend = createSpend();
  const threads = createThreads();
  /** What was said before it could be sent, in order. */
  const waiting: Said[] = [];
  /** What was said into a running turn and is not accepted yet. */
  const steering: Said[] = [];
  /** Overrides for the turns to come. */
  let overrides: Json = {};
  let turnId: string | undefined;
  /** A turn was asked for and has not begun. */
  let isStarting = false;
  let isDead = false;
  /** False while a recording is read: then somebody else is the host. */
  let isLive = false;

  const readers: IncomingReaders = {
    result({ method, result }) {
      if (method === 'initialize') {
        peer.tell('initialized');
        const { method: open, params } = openThread(request);
        peer.ask(open, params);
      } else if (method === 'thread/list') openLatest(objects(result.data)[0]);
      else if (method === 'turn/steer') steering.shift();
      if (result.thread !== undefined) startThread(result);
    },
    error({ method, message }) {
      if (method === 'turn/steer') {
        // The turn ended, or cannot be steered: say it in a turn of its own.
        waiting.unshift(...steering.splice(0, 1));
        sendWaiting();
      } else if (method === 'turn/interrupt') chronicle.write({ type: 'warning', code: 'interrupt-refused', message });
      // Somebody else asked, and what is not known: a turn that did begin tells its own end.
      else if (!isLive) chronicle.write({ type: 'agent-error', fatal: false, ...codexFault(message) });
      else fail(codexFault(message), method !== 'turn/start');
    },
    request({ id, method, params }, bytes) {
      const parent = threads.parentOf(string(params.threadId));
      const ask = askFrom(method, params, threads);
      if (ask) chronicle.ask(String(id), ask, (body) => peer.answer(id, body), parent);
      else refuse(id, method, bytes);
    },
    notification({ method, params }, bytes) {
      const threadId = string(params.threadId) ?? string(members(params.thread).id);
      const parent = threads.parentOf(threadId);
      const isKnown = lookUp(notifications, method)?.(params, parent) ?? writeNotice(method, params, parent);
      if (method === 'error' && params.willRetry === true) chronicle.retractMessages(parent, 'stream-broken');
      if (!isKnown) {
        const wireSubtype = string(members(params.item).type);
        chronicle.write({ type: 'unknown', wireType: method, wireSubtype, bytes }, parent);
      }
    },
  };

  const notifications: Readonly<Record<string, (params: Json, parent: string | undefined) => boolean>> = {
    'thread/started'({ thread }) {
      startThread({ thread });
      return true;
    },
    'turn/started'({ turn }, parent) {
      if (parent !== undefined) return true;
      isStarting = false;
      turnId = string(members(turn).id);
      items.answer = undefined;
      // A resumed thread repeats the usage of its past before its first turn.
      spend.take(chronicle.sessionId);
      chronicle.startTurn();
      sendWaiting();
      return true;
    },
    'turn/completed'({ turn }, parent) {
      if (parent === undefined) endTurn(members(turn));
      return true;
    },
    'item/started': (params, parent) => writeItem(params, 'started', parent),
    'item/completed': (params, parent) => writeItem(params, 'completed', parent),
    'item/agentMessage/delta'({ itemId, delta }, parent) {
      chronicle.addText('text', anyString(itemId) ?? '', 0, anyString(delta) ?? '', parent);
      return true;
    },
    'item/reasoning/summaryTextDelta'({ itemId, summaryIndex, delta }, parent) {
      items.think(anyString(itemId) ?? '', `summary${summaryIndex}`, anyString(delta) ?? '', parent);
      return true;
    },
    'item/reasoning/textDelta'({ itemId, contentIndex, delta }, parent) {
      items.think(anyString(itemId) ?? '', `content${contentIndex}`, anyString(delta) ?? '', parent);
      return true;
    },
    'thread/tokenUsage/updated'({ threadId, tokenUsage }, parent) {
      const { last, modelContextWindow } = members(tokenUsage);
      const thread = anyString(threadId) ?? '';
      const usage = spend.add(thread, threads.modelOf(thread), members(tokenUsage));
      const contextTokens = number(members(last).totalTokens);
      const contextLimit = number(modelContextWindow);
      if (parent === undefined) {
        chronicle.write({
          type: 'usage-update',
          usage: chronicle.inTurn ? usage : undefined,
          contextTokens,
          contextLimit,
        });
      }
      return true;
    },
    'model/rerouted'({ threadId, toModel }, parent) {
      const model = string(toModel);
      threads.setModel(string(threadId), model);
      if (parent === undefined) chronicle.write({ type: 'session-update', model });
      return true;
    },
    'serverRequest/resolved'({ requestId }) {
      const id = String(requestId);
      // Who answered is not said; the end of the call that waits will show what.
      if (chronicle.leaveAsk(id)) return true;
      if (isLive) chronicle.withdraw(id, 'agent');
      else chronicle.resolve({ id, decision: 'unknown', by: 'unknown' });
      return true;
    },
  };

  function writeItem({ item }: Json, phase: 'started' | 'completed', parent: string | undefined): boolean {
    threads.noteItem(members(item), phase);
    return items.write(members(item), phase, parent);
  }

  function startThread({ thread, ...settings }: Json): void {
    const { id, cwd, cliVersion, name, parentThreadId, model } = members(thread);
    if (!threads.open(string(id), string(parentThreadId), string(settings.model) ?? string(model))) return;
    const isNew = chronicle.sessionId === undefined;
    chronicle.startSession(string(id), {
      model: isNew ? (string(settings.model) ?? string(model)) : undefined,
      cwd: isNew ? string(cwd) : undefined,
      agentVersion: isNew ? string(cliVersion) : undefined,
      title: isNew ? string(name) : undefined,
      permissionMode: string(settings.approvalPolicy),
      resumed: isNew && request.resume !== undefined ? true : undefined,
    });
    if (!isNew) return;
    chronicle.tellFork(request);
    sendWaiting();
  }

  function openLatest(latest: Json | undefined): void {
    const { method, params } = openThread({ ...request, resume: string(latest?.id) });
    if (latest === undefined) {
      chronicle.write({
        type: 'warning',
        code: 'session-not-resumed',
        message: 'There is no earlier session to resume.',
      });
    }
    peer.ask(method, params);
  }

  function wait(said: Said): void {
    attached.give(said);
    waiting.push(said);
  }

  /** Says the next thing that waits: into the running turn, or as a new one. */
  function sendWaiting(): void {
    const threadId = chronicle.sessionId;
    if (threadId === undefined || isStarting || isDead) return;
    const said = waiting.shift();
    if (said === undefined) return;
    const input = inputOf(said);
    if (turnId !== undefined) {
      steering.push(said);
      peer.ask('turn/steer', { threadId, expectedTurnId: turnId, input });
      sendWaiting();
      return;
    }
    isStarting = true;
    const { outputSchema } = request;
    peer.ask('turn/start', { threadId, input, ...(outputSchema !== undefined && { outputSchema }), ...overrides });
    overrides = {};
  }

  function endTurn({ id, status, error, durationMs }: Json): void {
    turnId = undefined;
    isStarting = false;
    const outcome: TurnOutcome = lookUp(OUTCOMES, string(status)) ?? 'unknown';
    const facts = error === null || error === undefined ? undefined : errorFacts(error);
    chronicle.endTurn({
      outcome,
      text: items.answer,
      error: facts,
      durationMs: number(durationMs),
      structuredOutput: structuredAnswer(request, items.answer),
      resumeAt: string(id),
      ...spend.take(chronicle.sessionId),
    });
    sendWaiting();
  }

  /** A request of ours was refused; `dead` when nothing can follow. */
  function fail(error: ErrorFacts, dead: boolean): void {
    isStarting = false;
    isDead = dead;
    chronicle.write({ type: 'agent-error', fatal: true, ...error });
    chronicle.endTurn({ outcome: 'failed', error });
  }

  function act(action: Action): Step | 'unsupported' {
    switch (action.type) {
      case 'say':
        wait(action);
        sendWaiting();
        return step();
      case 'interrupt':
        if (turnId !== undefined) peer.ask('turn/interrupt', { threadId: chronicle.sessionId, turnId });
        return step();
      case 'set-model':
        overrides = { ...overrides, model: action.model };
        return step();
      case 'set-permission': {
        const permission = PERMISSIONS.find((known) => known === action.mode);
        if (permission === undefined) return 'unsupported';
        overrides = { ...overrides, ...turnPermission(permission) };
        return step();
      }
      default:
        return decide(action);
    }
  }

  function decide(action: Decision): Step {
    chronicle.decide(action);
    return step();
  }

  const { step, receive, end, refuse } = converse(peer, chronicle, readers);

  return {
    start() {
      isLive = true;
      const { prompt, attachments } = request;
      if (prompt !== undefined) wait({ text: prompt, attachments });
      peer.ask('initialize', initializeParams);
      return step();
    },
    receive,
    act,
    end,
    idle: () =>
      isDead || (chronicle.sessionId !== undefined && !isStarting && !chronicle.inTurn && waiting.length === 0),
  };
}

const OUTCOMES: Readonly<Record<string, TurnOutcome>> = {
  completed: 'success',
  failed: 'failed',
  interrupted: 'interrupted',
};
