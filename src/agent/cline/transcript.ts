/**
 * Cline's sessions on disk: `<session>/<session>.messages.json` has what was said, `<session>.json` how the session stands. Both are documents
 * that are written anew. They are told as the lines of `cline --json`.
 */
import type { Cost } from '../../event/index.js';
import { anyString, type Json, members, number, objects, parsed, string } from '../field.js';
import { createRetelling } from '../retelling.js';
import { createSubAgents } from '../sub-agents.js';
import type { TranscriptReader, Transcripts } from '../transcript.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';

const NAME = /(?<![^/])(\d+_\w+)\/((?:agent_)?\d+_\w+)(\.messages)?\.json$/;

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: NAME,
  hasOtherIds: true,
  identify(path) {
    const [, sessionId, name, isMessages] = NAME.exec(path) ?? [];
    if (sessionId === undefined || name === undefined) return undefined;
    if (/^agent_/.test(name)) return isMessages === undefined ? undefined : { sessionId, isDocument: true, part: name };
    if (name !== sessionId) return undefined;
    return { sessionId, isDocument: true, ...(isMessages === undefined && { part: 'session' }) };
  },
  createReader,
};

/** One that asks something is `pending`. */
const GOES_ON = /^(running|pending|idle)$/;

function createReader(): TranscriptReader {
  const retelling = createRetelling(createProtocol);
  const told = new Set<unknown>();
  let session: Json = {};
  let turn = newTurn(0);
  /** Of the turns before. */
  const spentBefore: Turn['spent'] = {};
  const names = new Map<unknown, unknown>();
  const subAgents = createSubAgents(retelling, createReader);
  /** The sub-agent that was given a task, by its words, which alone say which call it works for. */
  const given = new Map<string, string[]>();
  const working = new Map<unknown, string>();
  const heard = new Set<string>();
  /** The documents of all below it, as they were last, and as they were handed on. */
  const below = new Map<string, Json>();
  const handedOn = new Map<string, Json>();

  const tell = (event: Json, at: number): void => retelling.tell({ type: 'agent_event', event }, at);

  function readMessage({ id, role, content, ts, metadata, metrics, modelInfo }: Json): void {
    if (told.has(id)) return;
    told.add(id);
    const at = number(ts) ?? retelling.lastAt;
    const blocks: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
    const { displayRole, userRunSpan } = members(metadata);
    if (displayRole === 'error') {
      turn.error = textOf(blocks);
      tell({ type: 'error', error: { message: turn.error }, recoverable: false }, at);
    } else if (role === 'assistant') speak(blocks, members(metrics), members(modelInfo).id, at);
    else hear(blocks, userRunSpan === 0, at);
  }

  function speak(blocks: readonly Json[], metrics: Json, model: unknown, at: number): void {
    tell({ type: 'iteration_start' }, at);
    turn.steps += 1;
    turn.model = model;
    turn.isAnswered = !blocks.some(({ type }) => type === 'tool_use');
    turn.answer = textOf(blocks);
    add(turn.spent, metrics);
    for (const { type, text, thinking } of blocks) {
      if (type === 'thinking') tell({ type: 'content_end', contentType: 'reasoning', reasoning: thinking }, at);
      else if (type === 'text') tell({ type: 'content_end', contentType: 'text', text }, at);
    }
    tell({ type: 'usage', ...metrics }, at);
    for (const { type, id, name, input } of blocks) {
      if (type !== 'tool_use') continue;
      names.set(id, name);
      tell({ type: 'content_start', contentType: 'tool', toolCallId: id, toolName: name, input }, at);
      const agent = given.get(string(members(input).task) ?? '')?.shift();
      if (agent === undefined || string(id) === undefined) continue;
      working.set(id, agent);
      subAgents.adopt(agent, string(id) ?? '');
    }
    if (turn.isAnswered) tell({ type: 'iteration_end' }, at);
  }

  function hear(blocks: readonly Json[], isNudge: boolean, at: number): void {
    for (const { type, tool_use_id: id, content, is_error } of blocks) {
      if (type !== 'tool_result') continue;
      const agent = working.get(id);
      if (agent !== undefined) subAgents.finish(agent);
      const told = is_error === true ? { error: failureIn(content) } : { output: resultIn(content) };
      tell({ type: 'content_end', contentType: 'tool', toolCallId: id, toolName: names.get(id), ...told }, at);
    }
    const text = textOf(blocks).replace(/^<user_input[^>]*>([\s\S]*)<\/user_input>$/, '$1');
    if (text === '' || isNudge) return;
    endTurn(false);
    turn = newTurn(at);
    retelling.tell({ type: 'hook_event', hookEventName: 'agent_start' }, at);
    retelling.userSaid(text, at);
  }

  function endTurn(isLast: boolean): void {
    if (!retelling.inTurn) return;
    const { error, isAnswered, answer, steps, begun, model } = turn;
    const spent = isLast ? withForgotten(turn.spent, spentBefore, members(session.metadata).usage) : turn.spent;
    if (!isLast) add(spentBefore, spent);
    const at = retelling.lastAt;
    const isKnown = isAnswered || error !== undefined || (isLast && !GOES_ON.test(string(session.status) ?? ''));
    const isGood = error === undefined && (isAnswered || (isLast && session.status === 'completed'));
    const line = {
      type: 'run_result',
      finishReason: isGood ? 'completed' : isLast && session.status === 'cancelled' ? 'aborted' : 'error',
      text: error ?? answer,
      usage: spent,
      durationMs: at - begun,
      iterations: steps,
      model: { id: model },
    };
    retelling.tell(line, at, (end) => {
      if (!isKnown) {
        end.outcome = 'unknown';
        delete end.error;
      }
      end.cost = costOf(spent, isLast ? members(session.metadata) : {});
      subAgents.charge(end);
    });
  }

  /** Whoever was called by a sub-agent is told by that one, which has to know of it before it speaks. */
  function handOn(main: Json): void {
    const callers = callersIn(main, below);
    for (const [part, document] of below) {
      if (handedOn.get(part) === document) continue;
      handedOn.set(part, document);
      const own = rootOf(part, callers);
      if (own !== part) subAgents.receive(own, document, 0, part);
      else {
        const task = taskOf(document);
        if (!heard.has(part)) given.set(task, [...(given.get(task) ?? []), part]);
        heard.add(part);
        subAgents.receive(part, document, 1);
      }
    }
  }

  return {
    receive(value, part) {
      const document = members(value);
      if (part === 'session') session = document;
      else if (part !== undefined) below.set(part, document);
      else {
        handOn(document);
        const { started_at, cwd, model, metadata, session_id } = session;
        const { title, sessionHistoryOrigin } = members(metadata);
        const facts = { cwd: string(cwd), model: string(model), title: string(title) };
        const agentVersion = string(members(sessionHistoryOrigin ?? document.origin).version);
        const id = string(session_id) ?? string(document.sessionId);
        const at = Date.parse(string(started_at) ?? '') || number(objects(document.messages)[0]?.ts) || 0;
        if (told.size === 0) retelling.introduce(id, { ...facts, agentVersion }, at);
        for (const message of objects(document.messages)) readMessage(message);
      }
      return retelling.take();
    },
    settle() {
      if (turn.isAnswered || turn.error !== undefined) endTurn(true);
      return retelling.take();
    },
    end() {
      endTurn(true);
      retelling.close();
      return { moments: retelling.take() };
    },
  };
}

/** What a sub-agent was given to do, by which alone its call is known. */
const taskOf = ({ messages }: Json): string => textOf(objects(objects(messages)[0]?.content));

const tasksGivenIn = ({ messages }: Json): string[] =>
  objects(messages)
    .flatMap(({ content }) => objects(content))
    .flatMap(({ type, input }) => (type === 'tool_use' ? (string(members(input).task) ?? []) : []));

/** Each sub-agent that another one called, with that one. */
function callersIn(main: Json, all: ReadonlyMap<string, Json>): Map<string, string> {
  const givers = new Map<string, string>();
  for (const [part, document] of all) for (const task of tasksGivenIn(document)) givers.set(task, part);
  for (const task of tasksGivenIn(main)) givers.delete(task);
  const callers = new Map<string, string>();
  for (const [part, document] of all) {
    const giver = givers.get(taskOf(document));
    if (giver !== undefined && giver !== part) callers.set(part, giver);
  }
  return callers;
}

function rootOf(part: string, callers: ReadonlyMap<string, string>): string {
  const passed = new Set<string>();
  let root = part;
  for (let caller = callers.get(root); caller !== undefined && !passed.has(caller); caller = callers.get(root)) {
    passed.add(caller);
    root = caller;
  }
  return root;
}

interface Turn {
  begun: number;
  steps: number;
  isAnswered: boolean;
  answer: string;
  error?: string;
  model?: unknown;
  /** Tokens and, where the price is known, money, added up over its model calls. */
  spent: Record<string, number>;
}

const newTurn = (begun: number): Turn => ({ begun, steps: 0, isAnswered: false, answer: '', spent: {} });

function add(sum: Turn['spent'], counts: Json): void {
  for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + (number(count) ?? 0);
}

/** An answer that it threw away, because it was too long, stands only in the sum of the session. */
function withForgotten(spent: Turn['spent'], before: Turn['spent'], total: unknown): Turn['spent'] {
  const sums = members(total);
  const names = TOKENS.filter((name) => (number(sums[name]) ?? 0) > (spent[name] ?? 0) + (before[name] ?? 0));
  return { ...spent, ...Object.fromEntries(names.map((name) => [name, Number(sums[name]) - (before[name] ?? 0)])) };
}

const TOKENS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'];

/** Zero is what it says when it knows no price. Sub-agents are only in the sum of the session. */
function costOf({ cost }: Turn['spent'], { aggregatedAgentsCost, totalCost }: Json): Cost | undefined {
  const total = number(aggregatedAgentsCost) || number(totalCost);
  if (total) return { usd: total, scope: 'session', origin: 'reported' };
  return cost ? { usd: cost, scope: 'turn', origin: 'reported' } : undefined;
}

const textOf = (blocks: readonly Json[]): string =>
  blocks.flatMap(({ type, text }) => (type === 'text' ? (anyString(text) ?? []) : [])).join('\n');

/** `{"error":"…"}` in a text. */
function failureIn(content: unknown): string {
  const text = typeof content === 'string' ? content : textOf(objects(content));
  return string(members(parsed(text)).error) ?? text;
}

/** An object that the stream prints is written as a text; what a tool itself said may look like one. */
function resultIn(content: unknown): unknown {
  const object = typeof content === 'string' ? members(parsed(content)) : {};
  const isObject = ('query' in object && 'success' in object) || ('finishReason' in object && 'iterations' in object);
  return isObject ? object : content;
}
