/** Talks to any agent that speaks the Agent Client Protocol over stdio: one session, one turn at a time. */
import type { Cost, ErrorFacts, TurnOutcome, Usage } from '../../event/index.js';
import type { Action } from '../action.js';
import type { Protocol, Step } from '../agent.js';
import { createChronicle } from '../chronicle.js';
import type { CommandRequest } from '../command.js';
import { type Decision, resolutionOf } from '../decision.js';
import { faultOf, type Hints } from '../fault.js';
import { type Json, lookUp, members, number, objects, string } from '../field.js';
import { converse, type Hearing } from '../json-rpc/converse.js';
import { createPeer } from '../json-rpc/peer.js';
import { type Ask, askFrom } from './permission.js';
import {
  change,
  currentOf,
  initializeParams,
  offersMode,
  openSession,
  promptParams,
  type Setting,
} from './session-request.js';
import { createToolCalls, type ToolKnowledge } from './tool-call.js';
import { createUpdateWriter } from './update.js';

export interface AcpOptions {
  hints?: Hints;
  tools?: ToolKnowledge;
  /** False for agents whose usage at the end of a turn is that of the last model call alone. */
  hasTurnUsage?: boolean;
}

export function createAcpProtocol(request: Partial<CommandRequest> = {}, options: AcpOptions = {}): Protocol {
  const chronicle = createChronicle();
  const peer = createPeer({ versioned: true });
  const tools = createToolCalls(chronicle, options.tools);
  const updates = createUpdateWriter(chronicle, tools);
  const asks = new Map<string, { id: string | number; ask: Ask }>();
  const waiting: string[] = [];
  let handshake: Json = {};
  /** The session that was asked for, because a resume does not repeat its id. */
  let wanted: string | undefined;
  let opened: Json = {};
  let cost: Cost | undefined;
  let isPrompting = false;
  /** Opening an earlier session may repeat its whole conversation before it answers. */
  let isReplaying = false;
  let isDead = false;

  const heard: Hearing = {
    result({ method, result }) {
      if (method === 'initialize' || result.agentCapabilities !== undefined) {
        handshake = result;
        if (method !== undefined) open(request);
      } else if (method === 'session/list') openLatest(objects(result.sessions));
      else if (isOpening(method) || string(result.sessionId) !== undefined) startSession(result);
      else if (result.stopReason !== undefined) endTurn(result);
    },
    error({ method, message, data }) {
      if (method === 'session/set_config_option' || method === 'session/set_model' || method === 'session/set_mode') {
        chronicle.write({ type: 'warning', code: 'setting-refused', message });
        return;
      }
      fail(
        faultOf(string(data.details) ?? message, options.hints),
        method !== undefined && method !== 'session/prompt',
      );
    },
    request({ id, method, params }, bytes) {
      startTurn();
      updates.endMessage();
      const ask = askFrom(method, params, tools);
      if (!ask) {
        peer.refuse(id, `glassbox does not offer ${method}`);
        // Some ask for files and terminals although they were told that there are none.
        if (!/^(fs|terminal)\//.test(method)) chronicle.write({ type: 'unknown', wireType: method, bytes });
        return;
      }
      asks.set(String(id), { id, ask });
      if (ask.toolId !== undefined) tools.write(members(params.toolCall), parentOf(params));
      chronicle.ask({ id: String(id), ...ask.request }, parentOf(params));
    },
    notification({ method, params }, bytes) {
      const update = members(params.update);
      if (method !== 'session/update') chronicle.write({ type: 'unknown', wireType: method, bytes });
      else if (!isReplaying) writeUpdate(update, parentOf(params), bytes);
    },
    nonsense(_, bytes) {
      chronicle.write({ type: 'unknown', wireType: 'nonsense', bytes });
    },
  };

  function writeUpdate(update: Json, parent: string | undefined, bytes: number): void {
    const wireSubtype = string(update.sessionUpdate);
    if (/^(agent_|tool_|plan$)/.test(wireSubtype ?? '')) startTurn();
    if (!updates.write(update, parent))
      chronicle.write({ type: 'unknown', wireType: 'session/update', wireSubtype, bytes }, parent);
    const { amount, currency } = members(update.cost);
    const usd = currency === 'USD' ? number(amount) : undefined;
    if (usd !== undefined && parent === undefined) cost = { usd, scope: 'session', origin: 'reported' };
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
      cwd: request.cwd,
      agentVersion: string(version) ?? string(name),
      permissionMode: currentOf('mode', result),
      resumed: request.resume === undefined ? undefined : true,
    });
    const { resume: previousId, fork } = request;
    if (fork === true && id !== undefined) {
      chronicle.write({
        type: 'session-change',
        previousId: previousId === 'latest' ? undefined : previousId,
        newId: id,
        reason: 'fork',
      });
    }
    if (request.model !== undefined && request.model !== model) set('model', request.model);
    if (request.permission === 'plan' && offersMode('plan', result)) set('mode', 'plan');
    sendWaiting();
  }

  function sendWaiting(): void {
    if (isPrompting || isDead || chronicle.sessionId === undefined) return;
    const text = waiting.shift();
    if (text === undefined) return;
    isPrompting = true;
    chronicle.say(text);
    peer.ask('session/prompt', promptParams(chronicle.sessionId, text));
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

  function finish(result: { outcome: TurnOutcome; error?: ErrorFacts; stopReason?: string; usage?: Usage }): void {
    chronicle.endTurn({ ...result, text: updates.answer, cost });
    asks.clear();
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
    for (const [id, { id: wireId, ask }] of asks) {
      peer.answer(wireId, ask.cancelled);
      chronicle.withdraw(id, 'interrupt');
    }
    asks.clear();
    tools.cancel();
  }

  function act(action: Action): Step {
    if (action.type === 'say') {
      waiting.push(action.text);
      sendWaiting();
    } else if (action.type === 'interrupt') cancel();
    else if (action.type === 'set-model') set('model', action.model);
    else if (action.type === 'set-permission') set('mode', action.mode);
    else decide(action);
    return step();
  }

  function decide(decision: Decision): void {
    const open = asks.get(decision.id);
    if (!open) return;
    asks.delete(decision.id);
    if (decision.type === 'deny' && open.ask.toolId !== undefined) tools.deny(open.ask.toolId);
    peer.answer(open.id, open.ask.reply(decision));
    chronicle.resolve(resolutionOf(decision));
    if (decision.type === 'deny' && decision.interrupt === true) cancel();
  }

  const { step, receive, end } = converse(peer, chronicle, heard);

  return {
    start() {
      if (request.prompt !== undefined) waiting.push(request.prompt);
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

function isOpening(method: string | undefined): boolean {
  return method !== undefined && /^session\/(new|load|resume|fork)$/.test(method);
}

function usageOf(value: unknown): Usage | undefined {
  const usage = members(value);
  const output = number(usage.outputTokens);
  const thinking = number(usage.thoughtTokens);
  if (number(usage.inputTokens) === undefined && output === undefined) return undefined;
  return {
    inputTokens: number(usage.inputTokens),
    outputTokens: output === undefined ? undefined : output + (thinking ?? 0),
    cacheReadTokens: number(usage.cachedReadTokens),
    cacheWriteTokens: number(usage.cachedWriteTokens),
    thinkingTokens: thinking,
  };
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
