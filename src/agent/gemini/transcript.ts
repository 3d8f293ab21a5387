/**
 * Gemini CLI's chats on disk: `<project>/chats/session-<time>-<id>.jsonl`, where a message is written again when it has become more, and in
 * older releases one document `.json` of all messages; those of sub-agents in `<session>/<agent>.jsonl` beside it. They are told as the
 * lines of the stream.
 */
import type {} from '../../event/index.js';
import { anyString, type Json, list, members, number, objects, string } from '../field.js';
import { createRetelling, type TurnEnd } from '../retelling.js';
import { createSubAgents } from '../sub-agents.js';
import type { TranscriptReader, Transcripts } from '../transcript.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';

const NAME = /(?:^|\/)chats\/(?:session-[\w-]+\.json(l?)|([\w-]+)\/([\w-]+)\.jsonl)$/;

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: NAME,
  identify(path, first) {
    const [, lines, parent, part] = NAME.exec(path) ?? [];
    if (parent !== undefined && part !== undefined) return { sessionId: parent, part };
    const { sessionId, kind } = members(first());
    const id = string(sessionId) ?? /-([0-9a-f]{8})\.json$/.exec(path)?.[1];
    // Of a sub-agent whose caller nobody knows.
    if (id === undefined || kind === 'subagent') return undefined;
    return { sessionId: id, ...(lines === '' && { isDocument: true as const }) };
  },
  createReader,
};

function createReader(): TranscriptReader {
  const retelling = createRetelling(createProtocol);
  const spend = createSpend();
  const subAgents = createSubAgents(retelling, createReader);
  /** What was told of each message, because it comes again. */
  const told = new Map<string, { hasText: boolean }>();
  const calls = new Set<string>();
  /** What the file begins with; where the program worked is told by the first message. */
  let beginning: { session: unknown; at: number } | undefined;
  let isAnswered = false;
  let begun = 0;
  let failure: string | undefined;
  let isBegun = false;
  const facts = { model: '', title: '' };

  function readMessage(message: Json): void {
    const { id, type, content, displayContent, toolCalls, thoughts, tokens, model } = message;
    const at = Date.parse(string(message.timestamp) ?? '') || retelling.lastAt;
    const key = string(id) ?? `message-${told.size + 1}`;
    const known = told.get(key) ?? { hasText: false };
    const text = textOf(displayContent ?? content);
    told.set(key, known);
    introduce(text);
    if (type === 'gemini') {
      learn('model', string(model), at);
      // An answer that says nothing does not name its model.
      spend.see(key, string(model) ?? facts.model, members(tokens));
      if (!known.hasText) speak(text, at, list(thoughts).length > 0);
      known.hasText = true;
      isAnswered = objects(toolCalls).length === 0;
      for (const call of objects(toolCalls)) useTool(call);
    } else if (type === 'error') {
      failure = text;
      retelling.tell({ type: 'error', severity: 'error', message: text }, at);
    } else if (type === 'user') {
      for (const { functionResponse } of objects(content)) hearResult(members(functionResponse), at);
      if (known.hasText || CONTEXT.test(text) || text === '') return;
      known.hasText = true;
      endTurn();
      begun = at;
      retelling.tell({ type: 'message', role: 'user', content: text }, at);
    }
  }

  function introduce(text: string): void {
    if (!beginning) return;
    const { session, at } = beginning;
    beginning = undefined;
    retelling.introduce(string(session), { cwd: CONTEXT.test(text) ? PLACE.exec(text)?.[1] : undefined }, at);
    retelling.tell({ type: 'init', session_id: session }, at);
  }

  function learn(fact: 'model' | 'title', value: string | undefined, at: number): void {
    if (value === undefined || value === facts[fact]) return;
    facts[fact] = value;
    retelling.learn({ [fact]: value }, at);
  }

  function speak(text: string, at: number, hasThought: boolean): void {
    failure = undefined;
    if (text !== '' || !hasThought)
      retelling.tell({ type: 'message', role: 'assistant', content: text, delta: true }, at);
  }

  /** Of a call that nothing else tells of, as of one that a sub-agent may not make. */
  function hearResult({ id, name, response }: Json, at: number): void {
    if (string(id) === undefined || calls.has(string(id) ?? '')) return;
    const { error, output } = members(response);
    const status = error === undefined ? 'success' : 'error';
    useTool({ id, name, status, result: [{ functionResponse: { response } }], resultDisplay: output }, at);
  }

  function useTool(told: Json, heardAt = retelling.lastAt): void {
    const { id, name, args, result, status, resultDisplay, timestamp } = told;
    const call = string(id) ?? '';
    const at = Date.parse(string(timestamp) ?? '') || heardAt;
    const agent = string(told.agentId);
    // It is written when it has ended; what its sub-agent did was before.
    const begun = agent === undefined ? at : retelling.lastAt;
    if (!calls.has(call)) retelling.tell({ type: 'tool_use', tool_id: call, tool_name: name, parameters: args }, begun);
    calls.add(call);
    if (status === undefined || /^(executing|scheduled|validating|awaiting_approval)$/.test(String(status))) return;
    if (agent !== undefined) {
      subAgents.adopt(agent, call);
      subAgents.finish(agent);
    }
    const { error } = members(members(objects(result)[0]?.functionResponse).response);
    const isGood = status === 'success';
    const output = {
      output: anyString(resultDisplay),
      ...(!isGood && { error: { type: typeOf(error), message: error } }),
    };
    retelling.tell({ type: 'tool_result', tool_id: call, status: isGood ? 'success' : 'error', ...output }, at);
  }

  function endTurn(): void {
    if (!retelling.inTurn) return;
    const at = retelling.lastAt;
    const stats = { ...spend.take(), duration_ms: at - begun };
    const isKnown = isAnswered || failure !== undefined;
    const error = failure === undefined ? {} : { error: { message: failure } };
    retelling.tell(
      { type: 'result', status: failure === undefined ? 'success' : 'error', stats, ...error },
      at,
      (end) => {
        // The sums of the stream are of the process, which has one turn; these are of the turn.
        end.turnModelUsage = end.modelUsage;
        delete end.modelUsage;
        subAgents.charge(end);
        if (!isKnown) forgetEnd(end);
      },
    );
    isAnswered = false;
    failure = undefined;
  }

  return {
    receive(value, part) {
      if (part !== undefined) {
        subAgents.receive(part, value, undefined);
        return [];
      }
      const entry = members(value);
      if (!isBegun && entry.sessionId !== undefined) {
        isBegun = true;
        beginning = { session: entry.sessionId, at: Date.parse(string(entry.startTime) ?? '') || 0 };
      }
      const { messages, summary } = { ...entry, ...members(entry.$set) };
      for (const message of objects(messages)) readMessage(message);
      if (!beginning) learn('title', string(summary), retelling.lastAt);
      if (string(entry.id) !== undefined) readMessage(entry);
      return retelling.take();
    },
    settle() {
      if (isAnswered || failure !== undefined) endTurn();
      return retelling.take();
    },
    end() {
      introduce('');
      endTurn();
      retelling.close();
      return { moments: retelling.take() };
    },
  };
}

/** Said by the program, so that the model knows where it is. */
const CONTEXT = /^<(session|hook)_context>/;
const PLACE = /Workspace Directories:\*\*\n {2}- (.+)/;

/** The stream has a word for what the file only says in words. */
function typeOf(error: unknown): string | undefined {
  const text = anyString(error) ?? '';
  if (/^Tool "[^"]*" not found/.test(text)) return 'tool_not_registered';
  return /\bdenied by policy\b/i.test(text) ? 'policy_violation' : undefined;
}

/** Its last words are missing, and with them how it ended. */
function forgetEnd(end: TurnEnd): void {
  end.outcome = 'unknown';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .map(({ text }) => anyString(text) ?? '')
    .join('');
}

/** What each message used, which is told again with the message, by turn and model. */
function createSpend() {
  const seen = new Set<string>();
  let calls: { model: string; tokens: Json }[] = [];

  function sum(of: readonly { tokens: Json }[]): Json {
    const count = (name: string) => of.reduce((all, { tokens }) => all + (number(tokens[name]) ?? 0), 0);
    const [input, cached] = [count('input'), count('cached')];
    return { input: Math.max(0, input - cached), output_tokens: count('output'), cached };
  }

  return {
    see(id: string, model: string, tokens: Json): void {
      if (seen.has(id) || number(tokens.total) === undefined) return;
      seen.add(id);
      calls.push({ model, tokens });
    },
    take(): Json {
      const names = [...new Set(calls.map(({ model }) => model))];
      const models = Object.fromEntries(names.map((name) => [name, sum(calls.filter(({ model }) => model === name))]));
      const stats = { ...sum(calls), models };
      calls = [];
      return stats;
    },
  };
}
