/** Talks to `droid exec` by JSON-RPC: one session, deltas, permissions, interrupts and follow-ups. */
import type { ErrorFacts } from '../../event/index.js';
import type { Action, Decision } from '../action.js';
import type { Protocol, Step } from '../agent.js';
import { createAttachedWords, type Said } from '../attachment.js';
import { createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf } from '../fault.js';
import { type Json, members, objects, string } from '../field.js';
import { converse, type IncomingReaders } from '../json-rpc/conversation.js';
import { createPeer } from '../json-rpc/peer.js';
import { askFrom } from './ask.js';
import { HINTS } from './fault.js';
import { createNotices } from './notice.js';
import { createTools, TOOLS } from './tools.js';

export function createConversationProtocol(request: Partial<CommandRequest>): Protocol {
  const chronicle = createChronicle(TOOLS);
  const peer = createPeer({ versioned: true, extraMembers: (type) => ({ factoryApiVersion: '1.0.0', type }) });
  const tools = createTools(chronicle);
  const settings = settingsFor(request);
  const attached = createAttachedWords();
  /** What is to be said once the session is open. */
  let waiting: Said[] = [];
  let isOpen = false;
  let isDead = false;
  /** Messages that are sent and have not begun a turn. */
  let expected = 0;
  const notices = createNotices(chronicle, tools, {
    attachedTo: (text) => attached.take(text),
    begin() {
      expected = 0;
      chronicle.startTurn();
    },
    /** Somebody answered; in a recording this is all there is to see. */
    resolve(id, option) {
      const decision = option === 'cancel' ? 'deny' : option === 'proceed_once' ? 'allow' : 'allow-always';
      chronicle.resolve({ id, decision, by: 'unknown' });
    },
  });

  const readers: IncomingReaders = {
    result({ method, result }) {
      const id = string(result.sessionId) ?? (method === LOAD ? request.resume : undefined);
      if (id === undefined) return;
      open(id, members(result.settings), result.availableModels);
    },
    error({ method, message }) {
      if (method === SETTINGS) chronicle.write({ type: 'warning', code: 'setting-refused', message });
      // Somebody else asked, and what is not known: a turn that did begin tells its own end.
      else if (request.mode === undefined)
        chronicle.write({ type: 'agent-error', fatal: false, ...faultOf(message, HINTS) });
      else fail(faultOf(message, HINTS));
    },
    request({ id, method, params }, bytes) {
      const ask = askFrom(method, params);
      if (!ask) return refuse(id, method, bytes);
      chronicle.startTurn();
      chronicle.ask(String(id), ask, (body) => peer.answer(id, body));
    },
    notification({ method, params }, bytes) {
      const notice = members(params.notification);
      const wireSubtype = string(notice.type);
      if (method !== 'droid.session_notification' || !notices.read(notice))
        chronicle.write({ type: 'unknown', wireType: method, wireSubtype, bytes });
    },
  };

  function open(id: string, { modelId, autonomyLevel }: Json, listed: unknown): void {
    const models = objects(listed).flatMap((one) => string(one.id) ?? []);
    const facts = { cwd: request.cwd, model: string(modelId), permissionMode: string(autonomyLevel) };
    chronicle.startSession(id, {
      ...facts,
      ...(models.length > 0 && { models }),
      ...notices.facts(),
      resumed: request.resume === undefined ? undefined : true,
    });
    isOpen = true;
    if (request.resume !== undefined && request.mode !== undefined) peer.ask(SETTINGS, settings);
    for (const said of waiting) tell(said);
    waiting = [];
  }

  function fail(error: ErrorFacts): void {
    isDead ||= !isOpen;
    expected = 0;
    waiting = [];
    chronicle.write({ type: 'agent-error', fatal: true, ...error });
    chronicle.endTurn({ outcome: 'failed', error });
  }

  function say(said: Said): void {
    if (!chronicle.inTurn) expected += 1;
    attached.give(said);
    if (isOpen) tell(said);
    else waiting.push(said);
  }

  function tell({ text, attachments }: Said): void {
    const images = attachments?.map(({ mimeType, data }) => ({ type: 'base64', data, mediaType: mimeType }));
    peer.ask('droid.add_user_message', { text, ...(images?.length && { images }) });
  }

  function interrupt(): void {
    chronicle.cancelAsks();
    peer.ask('droid.interrupt_session', {});
  }

  function decide(decision: Decision): void {
    if (chronicle.decide(decision) && decision.type === 'deny' && decision.interrupt === true) interrupt();
  }

  function act(action: Action): Step | 'unsupported' {
    if (isDead || request.mode === undefined || action.type === 'set-permission') return 'unsupported';
    if (action.type === 'say') say(action);
    else if (action.type === 'interrupt') interrupt();
    else if (action.type === 'set-model') peer.ask(SETTINGS, { modelId: action.model });
    else decide(action);
    return step();
  }

  const { step, receive, end, refuse } = converse(peer, chronicle, readers);

  return {
    start() {
      if (request.mode === undefined) return step();
      if (request.fork === true) {
        fail({ category: 'config', message: 'Droid forks a session only with permission bypass and one prompt.' });
        return step();
      }
      const { prompt, attachments } = request;
      if (prompt !== undefined) say({ text: prompt, attachments });
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
function settingsFor({ permission, model, effort }: Partial<CommandRequest>): Json {
  return {
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(model !== undefined && { modelId: model }),
    autonomyLevel: permission === 'bypass' ? 'high' : 'off',
    interactionMode: permission === 'plan' ? 'spec' : 'auto',
  };
}
