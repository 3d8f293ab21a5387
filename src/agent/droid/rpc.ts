/** Talks to `droid exec` by JSON-RPC: one session, deltas, permissions, interrupts and follow-ups. */
import type { ErrorFacts } from '../../event/index.js';
import type { Action } from '../action.js';
import type { Protocol, Step } from '../agent.js';
import { createChronicle } from '../chronicle.js';
import type { CommandRequest } from '../command.js';
import { type Decision, resolutionOf } from '../decision.js';
import { faultOf } from '../fault.js';
import { type Json, members, string } from '../field.js';
import { converse, type Hearing } from '../json-rpc/converse.js';
import { createPeer, type RpcId } from '../json-rpc/peer.js';
import { type Ask, askFrom } from './ask.js';
import { HINTS } from './hint.js';
import { createNotices } from './notice.js';
import { createTools } from './tool.js';

export function createRpcProtocol(request: Partial<CommandRequest>): Protocol {
  const chronicle = createChronicle();
  const peer = createPeer({ versioned: true, dress: (type) => ({ factoryApiVersion: '1.0.0', type }) });
  const tools = createTools(chronicle);
  const asks = new Map<string, { id: RpcId; ask: Ask }>();
  const settings = settingsFor(request);
  /** What is to be said once the session is open. */
  let waiting: string[] = [];
  let isOpen = false;
  let isDead = false;
  /** Messages that are sent and have not begun a turn. */
  let expected = 0;
  const notices = createNotices(chronicle, tools, {
    begin() {
      expected = 0;
      chronicle.startTurn();
    },
    /** Somebody answered; in a recording this is all there is to see. */
    resolve(id, option) {
      const asked = asks.get(id);
      asks.delete(id);
      if (option === 'cancel') for (const toolId of asked?.ask.toolIds ?? []) tools.deny(toolId);
      const decision = option === 'cancel' ? 'deny' : option === 'proceed_once' ? 'allow' : 'allow-always';
      chronicle.resolve({ id, decision, by: 'person' });
    },
  });

  const heard: Hearing = {
    result({ method, result }) {
      const id = string(result.sessionId) ?? (method === LOAD ? request.resume : undefined);
      if (id === undefined) return;
      open(id, members(result.settings));
    },
    error({ method, message }) {
      if (method === SETTINGS) chronicle.write({ type: 'warning', code: 'setting-refused', message });
      else fail(faultOf(message, HINTS));
    },
    request({ id, method, params }, bytes) {
      const ask = askFrom(method, params);
      if (!ask) {
        peer.refuse(id, `glassbox does not offer ${method}`);
        chronicle.write({ type: 'unknown', wireType: method, bytes });
        return;
      }
      asks.set(String(id), { id, ask });
      chronicle.startTurn();
      chronicle.ask({ id: String(id), ...ask.request });
    },
    notification({ method, params }, bytes) {
      const notice = members(params.notification);
      const wireSubtype = string(notice.type);
      if (method !== 'droid.session_notification' || !notices.read(notice))
        chronicle.write({ type: 'unknown', wireType: method, wireSubtype, bytes });
    },
    nonsense(_, bytes) {
      chronicle.write({ type: 'unknown', wireType: 'nonsense', bytes });
    },
  };

  function open(id: string, { modelId, autonomyLevel }: Json): void {
    const facts = { cwd: request.cwd, model: string(modelId), permissionMode: string(autonomyLevel) };
    chronicle.startSession(id, {
      ...facts,
      ...notices.facts(),
      resumed: request.resume === undefined ? undefined : true,
    });
    isOpen = true;
    if (request.resume !== undefined && request.mode !== undefined) peer.ask(SETTINGS, settings);
    for (const text of waiting) peer.ask('droid.add_user_message', { text });
    waiting = [];
  }

  function fail(error: ErrorFacts): void {
    isDead ||= !isOpen;
    expected = 0;
    waiting = [];
    chronicle.write({ type: 'agent-error', fatal: true, ...error });
    chronicle.endTurn({ outcome: 'failed', error });
  }

  function say(text: string): void {
    if (!chronicle.inTurn) expected += 1;
    if (isOpen) peer.ask('droid.add_user_message', { text });
    else waiting.push(text);
  }

  function interrupt(): void {
    for (const [id, { id: rpcId, ask }] of asks) {
      peer.answer(rpcId, ask.cancelled);
      chronicle.withdraw(id, 'interrupt');
    }
    asks.clear();
    peer.ask('droid.interrupt_session', {});
  }

  function decide(decision: Decision): void {
    const asked = asks.get(decision.id);
    if (!asked) return;
    asks.delete(decision.id);
    if (decision.type === 'deny') for (const toolId of asked.ask.toolIds) tools.deny(toolId);
    peer.answer(asked.id, asked.ask.reply(decision));
    chronicle.resolve(resolutionOf(decision));
    if (decision.type === 'deny' && decision.interrupt === true) interrupt();
  }

  function act(action: Action): Step | 'unsupported' {
    if (isDead || request.mode === undefined || action.type === 'set-permission') return 'unsupported';
    if (action.type === 'say') say(action.text);
    else if (action.type === 'interrupt') interrupt();
    else if (action.type === 'set-model') peer.ask(SETTINGS, { modelId: action.model });
    else decide(action);
    return step();
  }

  const { step, receive, end } = converse(peer, chronicle, heard);

  return {
    start() {
      if (request.mode === undefined) return step();
      if (request.fork === true) {
        fail({ category: 'config', message: 'Droid forks a session only with permission bypass and one prompt.' });
        return step();
      }
      if (request.prompt !== undefined) say(request.prompt);
      if (request.resume !== undefined) peer.ask(LOAD, { sessionId: request.resume });
      else peer.ask('droid.initialize_session', { machineId: 'glassbox', cwd: request.cwd, ...settings });
      return step();
    },
    receive,
    act,
    end,
    idle: () => isDead || (!chronicle.inTurn && expected === 0),
  };
}

const LOAD = 'droid.load_session';
const SETTINGS = 'droid.update_session_settings';

/** Droid asks before each call unless it may do everything; the risk that frees a call on other levels is the model's own guess. */
function settingsFor({ permission, model }: Partial<CommandRequest>): Json {
  return {
    ...(model !== undefined && { modelId: model }),
    autonomyLevel: permission === 'bypass' ? 'high' : 'off',
    interactionMode: permission === 'plan' ? 'spec' : 'auto',
  };
}
