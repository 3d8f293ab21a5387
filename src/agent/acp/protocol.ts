/** Talks to any agent that speaks the Agent Client Protocol over stdio: one session, one turn at a time. */

import { type Cost, defined, type ErrorFacts, type TurnOutcome, type Usage } from '../../event/index.js';
import type { Action, Decision } from '../action.js';
import type { Protocol, Step } from '../agent.js';
import type { Said } from '../attachment.js';
import type { Body } from '../chronicle/chronicle.js';
import { createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest, Permission } from '../command.js';
import { faultOf, type Hints } from '../fault.js';
import { type Json, lookUp, members, number, objects, string } from '../field.js';
import { converse, type IncomingReaders } from '../json-rpc/conversation.js';
import { createPeer } from '../json-rpc/peer.js';
import { askFrom } from './ask.js';
import { costOf, createUpdateWriter } from './notice.js';
import {
  change,
  currentOf,
  initializeParams,
  modelsOf,
  offersMode,
  openSession,
  promptParams,
  type Setting,
} from './request.js';
import { createToolCalls, type ToolKnowledge } from './tools.js';

export interface AcpOptions {
  hints?: Hints;
  tools?: ToolKnowledge;
  /** How the agent calls what a permission means, where it must be told. */
  modes?: Partial<Record<Permission, string>>;
  /** False for agents whose usage at the end of a turn is that of the last model call alone. */
  hasTurnUsage?: boolean;
}

export function createAcpProtocol(request: Partial<CommandRequest> = {}, options: AcpOptions = {}): Protocol {
  const chronicle = createChronicle(options.tools?.table);
  const peer = createPeer({ versioned: true });
  const tools = createToolCalls(chronicle, options.tools);
  const updates = createUpdateWriter(chronicle, tools);
  const waiting: Said[] = [];
  let handshake: Json = {};
  /** The session that was asked for, because a resume does not repeat its id. */
  let wanted: string | undefined;
  let opened: Json = {};
  let cost: Cost | undefined;
  let isPrompting = false;
  /** Opening an earlier session may repeat its whole conversation before it answers. */
  let isReplaying = false;
  let isDead = false;
  /** False while a recording is read: then somebody else is the host. */
  let isLive = false;

  const readers: IncomingReaders = {
    result({ method, result }) {
      if (method === 'initialize' || result.agentCapabilities !== undefined) {
        handshake = result;
        if (method !== undefined) open(request);
      } else if (method === 'session/list') openLatest(objects(result.sessions));
      else if (isOpening(method) || string(result.sessionId) !== undefined) startSession(result);
      else if (result.stopReason !== undefined) endTurn(result);
    },
    error({ method, message, data, code }) {
      if (method === 'session/set_config_option' || method === 'session/set_model' || method === 'session/set_mode') {
        chronicle.write({ type: 'warning', code: 'setting-refused', message });
        return;
      }
      const error = faultOf(string(data.details) ?? message, options.hints);
      // Somebody else asked, and what is not known: only a prompt that was understood fails as a turn.
      if (!isLive && (chronicle.sessionId === undefined || isRefusal(code)))
        chronicle.write({ type: 'agent-error', fatal: false, ...error });
      else fail(error, method !== undefined && method !== 'session/prompt');
    },
    request({ id, method, params }, bytes) {
      startTurn();
      updates.endMessage();
      const call = members(params.toolCall);
      if (string(call.toolCallId) !== undefined) tools.write(call, parentOf(params));
      const ask = askFrom(method, params, tools);
      if (ask) chronicle.ask(String(id), ask, (body) => peer.answer(id, body), parentOf(params));
      // Some ask for files and terminals although they were told that there are none.
      else refuse(id, method, bytes, /^(fs|terminal)\//.test(method));
    },
    notification({ method, params }, bytes) {
      const update = members(params.update);
      if (method !== 'session/update') chronicle.write({ type: 'unknown', wireType: method, bytes });
      else if (!isReplaying) writeUpdate(update, parentOf(params), bytes);
    },
  };

  function writeUpdate(update: Json, parent: string | undefined, bytes: number): void {
    const wireSubtype = string(update.sessionUpdate);
    if (/^(agent_|tool_|plan$)/.test(wireSubtype ?? '')) startTurn();
    if (!updates.write(update, parent))
      chronicle.write({ type: 'unknown', wireType: 'session/update', wireSubtype, bytes }, parent);
    if (parent === undefined) cost = costOf(update.cost) ?? cost;
  }

  /** Other sessions in the same stream are those of sub-agents. */
  function parentOf({ sessionId }: Json): string | undefined {
    const id = string(sessionId);
    return id === undefined || chronicle.sessionId === undefined || id === chronicle.sessionId ? undefined : id;
  }

  function open(wish: Partial<CommandRequest>): void {
    const opening = openSession(wish, members(handshake.agentCapabilities));
    if ('cannot' in opening) {
      fail({ category: 'config', message: `This agent cannot ${opening.cannot}.` }, true);
      return;
    }
    wanted = opening.method === 'session/fork' ? undefined : string(opening.params.sessionId);
    isReplaying = opening.method !== 'session/new' && opening.method !== 'session/list';
    peer.ask(opening.method, opening.params);
  }

  function openLatest(sessions: readonly Json[]): void {
    const [latest] = [...sessions].sort((a, b) => String(b.updatedAt).localeCompare(String(a.updatedAt)));
    if (latest === undefined) {
      chronicle.write({
        type: 'warning',
        code: 'session-not-resumed',
        message: 'There is no earlier session to resume.',
      });
    }
    open({ ...request, resume: string(latest?.sessionId) });
  }

  function startSession(result: Json): void {
    isReplaying = false;
    opened = result;
    const { name, version } = members(handshake.agentInfo);
    const model = currentOf('model', result);
    const id = string(result.sessionId) ?? wanted;
    chronicle.startSession(id, {
      model: request.model ?? model,
      models: modelsOf(result),
      cwd: request.cwd,
      agentVersion: string(version) ?? string(name),
      permissionMode: currentOf('mode', result),
      resumed: request.resume === undefined ? undefined : true,
    });
    chronicle.tellFork(request);
    if (request.model !== undefined && request.model !== model) set('model', request.model);
    const mode = modeFor(request.permission);
    if (mode !== undefined && offersMode(mode, result)) set('mode', mode);
    sendWaiting();
  }

  function modeFor(permission: Permission | undefined): string | undefined {
    return permission && { plan: 'plan', ...options.modes }[permission];
  }

  function sendWaiting(): void {
    if (isPrompting || isDead || chronicle.sessionId === undefined) return;
    const said = waiting.shift();
    if (said === undefined) return;
    if (said.attachments?.length && !takesPictures(handshake)) {
      fail({ category: 'config', message: 'This agent takes no pictures.', hint: 'Say it without them.' }, false);
      return;
    }
    isPrompting = true;
    chronicle.say(said);
    peer.ask('session/prompt', promptParams(chronicle.sessionId, said));
    startTurn();
  }

  function startTurn(): void {
    if (!chronicle.inTurn) updates.answer = undefined;
    chronicle.startTurn();
  }

  function endTurn({ stopReason, usage }: Json): void {
    const word = string(stopReason);
    if (word === 'end_turn') updates.endMessage();
    else updates.breakMessage();
    const outcome = lookUp(OUTCOMES, word) ?? 'failed';
    finish({
      outcome,
      stopReason: word,
      usage: options.hasTurnUsage === false ? undefined : usageOf(usage),
      error: lookUp(ERRORS, word),
    });
  }

  function finish(result: Body<'turn-end'>): void {
    chronicle.endTurn({ ...result, text: updates.answer, cost });
    isPrompting = false;
    sendWaiting();
  }

  function fail(error: ErrorFacts, dead: boolean): void {
    isDead = dead;
    updates.breakMessage();
    chronicle.write({ type: 'agent-error', fatal: true, ...error });
    finish({ outcome: 'failed', error });
  }

  function set(setting: Setting, value: string): void {
    const { method, params } = change(setting, value, chronicle.sessionId, opened);
    peer.ask(method, params);
  }

  function cancel(): void {
    if (!isPrompting) return;
    peer.tell('session/cancel', { sessionId: chronicle.sessionId });
    // The protocol wants every open question answered before the turn can end.
    chronicle.cancelAsks();
    tools.cancel();
  }

  function act(action: Action): Step {
    if (action.type === 'say') {
      waiting.push(action);
      sendWaiting();
    } else if (action.type === 'interrupt') cancel();
    else if (action.type === 'set-model') set('model', action.model);
    else if (action.type === 'set-permission') set('mode', action.mode);
    else decide(action);
    return step();
  }

  function decide(decision: Decision): void {
    if (chronicle.decide(decision) && decision.type === 'deny' && decision.interrupt === true) cancel();
  }

  const { step, receive, end, refuse } = converse(peer, chronicle, readers);

  return {
    start() {
      isLive = true;
      const { prompt, attachments } = request;
      if (prompt !== undefined) waiting.push({ text: prompt, attachments });
      peer.ask('initialize', initializeParams);
      return step();
    },
    receive,
    act,
    end,
    idle: () =>
      isDead || (chronicle.sessionId !== undefined && !isPrompting && !chronicle.inTurn && waiting.length === 0),
  };
}

function takesPictures({ agentCapabilities }: Json): boolean {
  return members(members(agentCapabilities).promptCapabilities).image === true;
}

/** JSON-RPC's own codes for a request that was not understood. */
function isRefusal(code: number | undefined): boolean {
  return code === -32700 || (code !== undefined && code <= -32600 && code >= -32602);
}

function isOpening(method: string | undefined): boolean {
  return method !== undefined && /^session\/(new|load|resume|fork)$/.test(method);
}

function usageOf(value: unknown): Usage | undefined {
  const usage = members(value);
  const output = number(usage.outputTokens);
  const thinking = number(usage.thoughtTokens);
  if (number(usage.inputTokens) === undefined && output === undefined) return undefined;
  return defined({
    inputTokens: number(usage.inputTokens),
    outputTokens: output === undefined ? undefined : output + (thinking ?? 0),
    cacheReadTokens: number(usage.cachedReadTokens),
    cacheWriteTokens: number(usage.cachedWriteTokens),
    thinkingTokens: thinking,
  });
}

const OUTCOMES: Readonly<Record<string, TurnOutcome>> = {
  end_turn: 'success',
  cancelled: 'interrupted',
  max_turn_requests: 'max-turns',
};

const ERRORS: Readonly<Record<string, ErrorFacts>> = {
  max_tokens: { category: 'max-output', message: 'The answer was cut at the longest length the model may give.' },
  refusal: { category: 'refusal', message: 'The model refused to answer.' },
};
