/**
 * Claude Code's sessions on disk, of all generations: `<project>/<session>.jsonl`, with sub-agents within it (1.0), beside it (2.0) or
 * below it (2.1). They are read by the protocol of the stream, so that both give the same events.
 */
import type { Balance, Draft, DraftOf } from '../../event/index.js';
import { contentText } from '../claude-lines/content.js';
import { type Json, object, objects, string } from '../field.js';
import type { Moment, TranscriptReader, Transcripts } from '../transcript.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';
import { balanceOfCopies, createTranscriptCost } from './transcript-cost.js';
import { figures } from './transcript-figures.js';
import { copiedOf, isFiller, isInterruption, isPrompt, limitIn, lineOf, titleOf } from './transcript-line.js';
import { createNews } from './transcript-news.js';
import { createParents } from './transcript-parent.js';

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: /(?<![^/])([0-9a-f]{8}-[0-9a-f-]{27}\.jsonl|agent-[^./]+\.(jsonl|meta\.json))$/,
  identify(path, first) {
    const [name = '', folder, session] = path.split('/').reverse();
    const [, part] = /^agent-([^.]+)\.(jsonl|meta\.json)$/.exec(name) ?? [];
    // Other programs name their files in the same way, and begin them with a line of their own.
    if (part === undefined)
      return UUID_FILE.test(name) && isOwn(object(first())) ? { sessionId: name.slice(0, -6) } : undefined;
    const sessionId = folder === 'subagents' ? session : string(object(first())?.sessionId);
    return sessionId === undefined ? undefined : { sessionId, part };
  },
  createReader,
  figures,
};

const UUID_FILE = /^[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/;

function isOwn(first: Json | undefined): boolean {
  return first?.type !== 'session_start' && first?.provenance === undefined;
}

/** Lines of one process are out of order by less than this, and no process is over and another one begun within it. */
const SLACK_MS = 20;

interface Entry {
  value: Json;
  at: number;
  /** Never goes back within a file, so that sorting by it keeps the order of each file. */
  order: number;
  part: string | undefined;
  isCounted?: true;
}

function createReader(): TranscriptReader {
  let entries: Entry[] = [];
  const orders = new Map<string | undefined, number>();
  const parents = createParents();
  const seen = new Set<string>();
  /** When the main file was begun: a fork begins with the past of another conversation, which keeps its times. */
  let begun: number | undefined;
  const copies: Json[] = [];
  let root: string | undefined;
  /** What names the conversation in which it was said names another one. */
  let forkOf: string | undefined;
  let isLive = false;
  /** There as soon as anything is told. */
  let translator: Translator | undefined;

  const origin = () => (forkOf !== undefined ? { forkOf } : root === undefined ? {} : { copiedFrom: root });

  return {
    // Who speaks in which file, and in which order, is known when all of them were read.
    receive(value, part) {
      const entry = note(value, part);
      if (!entry) return [];
      entries.push(entry);
      if (translator) tellKnown(parents.hasLearned() ? entries : [entry]);
      else if (isLive && isOwnWord(entry)) beginTelling();
      return translator?.take() ?? [];
    },
    keepUp() {
      isLive = true;
      if (entries.some(isOwnWord)) beginTelling();
      return translator?.take() ?? [];
    },
    settle() {
      translator?.settle();
      return translator?.take() ?? [];
    },
    origin,
    end() {
      const telling = beginTelling();
      for (const entry of entries) telling.tell(entry);
      entries = [];
      telling.end();
      return { moments: telling.take(), ...origin() };
    },
  };

  function beginTelling(): Translator {
    if (translator) return translator;
    entries.sort((a, b) => a.order - b.order);
    translator = createTranslator(parents.of, balanceOfCopies(copies), firstModel(entries), entries[0]?.order ?? 0);
    if (isLive) tellKnown(entries);
    return translator;
  }

  /** A sub-agent whose call is not known yet waits with its words; what they cost is known. */
  function tellKnown(some: readonly Entry[]): void {
    const told = new Set(some.filter(({ value, part }) => parents.of(value, part) !== null));
    for (const entry of some) {
      if (told.has(entry)) translator?.tell(entry);
      else translator?.count(entry);
    }
    entries = entries.filter((entry) => !told.has(entry));
  }

  /** Not every line names its conversation: what stands before one that was copied was copied too, and so was what is noted about it. */
  function isOfCopy(entry: Json): boolean {
    if (translator) return false;
    if (copiedOf(entry) !== undefined) return true;
    return entry.type === 'system' && copies.length > 0 && entry.parentUuid === copies.at(-1)?.uuid;
  }

  function takeAsCopies(entry: Json): void {
    forkOf = copiedOf(entry) ?? forkOf;
    for (const { value, part } of entries) if (part === undefined) copies.push(value);
    entries = entries.filter(({ part }) => part !== undefined);
    copies.push(entry);
  }

  function note(value: unknown, part: string | undefined): Entry | undefined {
    const entry = object(value);
    const uuid = string(entry?.uuid);
    // Some versions wrote the whole conversation again with each message.
    if (!entry || (uuid !== undefined && seen.has(uuid))) return undefined;
    if (uuid !== undefined) seen.add(uuid);
    parents.note(entry, part);
    const order = orders.get(part);
    const at = Date.parse(string(entry.timestamp) ?? '') || order;
    if (at === undefined || string(entry.type) === undefined) return undefined;
    orders.set(part, Math.max(order ?? 0, at));
    if (part === undefined) begun ??= at;
    if (part === undefined && begun !== undefined && at < begun - SLACK_MS) {
      copies.push(entry);
      if (entry.type === 'user') root ??= uuid;
      return undefined;
    }
    if (part === undefined && isOfCopy(entry)) {
      takeAsCopies(entry);
      return undefined;
    }
    return { value: entry, at, order: Math.max(order ?? 0, at), part };
  }
}

/** Somebody speaks in the main conversation: what it was copied from, if anything, stands before. */
function isOwnWord({ value, part }: Entry): boolean {
  return part === undefined && (value.type === 'user' || value.type === 'assistant');
}

interface Turn {
  at: number;
  answered: boolean;
  isInterrupted?: true;
  spoken?: Json;
  limit?: number | undefined;
}

type ParentOf = (entry: Json, part?: string) => string | null | undefined;

interface Translator {
  tell(entry: Entry): void;
  /** Takes what it cost to the turn that is open, once. */
  count(entry: Entry): void;
  settle(): void;
  end(): void;
  /** What was told since the last call. */
  take(): Moment[];
}

function createTranslator(
  parentOf: ParentOf,
  balance: Balance | undefined,
  firstModel: string | undefined,
  begun: number,
): Translator {
  let drafts: Moment[] = [];
  const protocol = createProtocol();
  const cost = createTranscriptCost(balance);
  const news = createNews();
  let model = firstModel;
  /** The turn of each message id: one that comes again in another turn, as some gateways do, is another message. */
  const turnOfId = new Map<string, number>();
  let turns = 0;
  let turn: Turn | undefined;
  /** The last turn was ended because nothing came for a while. */
  let isSettled = false;
  const late: { line: Json; at: number }[] = [];
  let permissionMode: string | undefined;
  let lastAt = 0;
  if (balance) add({ type: 'usage-update', balance, turn: 0 }, begun);

  return {
    count,
    tell(entry) {
      const { value, part, order: at } = entry;
      if (isFiller(value)) return;
      const parent = parentOf(value, part);
      count(entry);
      // Null: a request that the program makes for itself, for example to warm up a cache.
      if (parent === null) return;
      for (const line of news(value, parent)) bring({ ...line, session_id: value.sessionId }, at);
      if (parent === undefined) follow(value, at);
      const title = titleOf(value);
      const line =
        title === undefined ? lineOf(value, parent) : { type: 'system', subtype: 'session_title_changed', title };
      if (!line) return;
      receive(parent === undefined ? withOwnId(line) : line, at);
      // A turn ends with its last words: what the program notes afterwards may be of another day.
      if (line.type === 'user' || line.type === 'assistant') lastAt = at;
    },
    settle() {
      if (!turn || !isOver(turn)) return;
      isSettled = true;
      endTurn();
    },
    end() {
      endTurn();
      for (const draft of protocol.end().events) add(draft, lastAt);
    },
    take() {
      const taken = drafts;
      drafts = [];
      return taken;
    },
  };

  function count(entry: Entry): void {
    const { value, part, isCounted } = entry;
    if (value.type === 'assistant' && !isCounted) cost.add(value, parentOf(value, part) === undefined);
    entry.isCounted = true;
  }

  function follow(value: Json, at: number): void {
    // It was not over after all, or goes on by itself; nobody asked anew.
    if (!turn && value.type === 'assistant') resumeTurn(at);
    if (value.type === 'cost-state') {
      cost.report(value);
      // It is written when the process ends, which may also be in the middle of a turn.
      if (turn?.answered) endTurn();
      else if (!turn && isSettled) tellReport();
    } else if (isPrompt(value)) {
      beginTurn(value, at, false);
    } else if (value.subtype === 'compact_boundary' && (!turn || turn.answered)) {
      beginTurn(value, at, true);
    } else if (turn && limitIn(value) !== undefined) {
      turn.limit = limitIn(value);
    } else if (turn && value.type === 'assistant') {
      learnModel(value, at);
      turn.spoken = value;
      turn.answered = !callsTool(object(value.message)?.content);
    } else if (turn && isToolResult(value)) {
      turn.answered = false;
    } else if (turn && isInterruption(value)) {
      turn.isInterrupted = true;
    }
  }

  /** Of a conversation that is only beginning nobody knew it. */
  function learnModel(value: Json, at: number): void {
    const name = modelOf(value);
    if (model !== undefined || name === undefined) return;
    model = name;
    add({ type: 'session-update', model, turn: turns }, at);
  }

  function beginTurn(value: Json, at: number, answered: boolean): void {
    endTurn();
    turns += 1;
    turn = { at, answered };
    isSettled = false;
    cost.beginTurn();
    permissionMode = string(value.permissionMode) ?? permissionMode;
    const { cwd, version, sessionId } = value;
    const facts = { model, cwd, permissionMode, claude_code_version: version, session_id: sessionId };
    receive({ type: 'system', subtype: 'init', ...facts }, at);
  }

  function tellReport(): void {
    const reported = cost.takeReport();
    if (reported) add({ type: 'usage-update', cost: reported, turn: turns }, lastAt);
  }

  function resumeTurn(at: number): void {
    turns += 1;
    turn = { at, answered: false };
  }

  /** What comes when a turn has been answered comes behind its end, which is told later. */
  function bring(line: Json, at: number): void {
    if (turn?.answered) return void late.push({ line, at });
    receive(line, at);
    lastAt = Math.max(lastAt, at);
  }

  function endTurn(): void {
    if (turn) tellEnd(turn);
    turn = undefined;
    for (const { line, at } of late.splice(0)) receive(line, at);
  }

  function tellEnd({ at, spoken, limit, ...turn }: Turn): void {
    const answered = turn.answered && !turn.isInterrupted;
    const errors = limit === undefined ? undefined : [`Reached maximum number of turns (${limit})`];
    const message = object(spoken?.message);
    const line = {
      type: 'result',
      subtype: errors ? 'error_max_turns' : answered ? 'success' : 'error_during_execution',
      errors,
      is_error: spoken?.isApiErrorMessage === true || !answered,
      ...(answered && message && { result: contentText(message.content) }),
      stop_reason: message?.stop_reason,
      duration_ms: lastAt - at,
    };
    receive(line, lastAt, (end) => {
      Object.assign(end, isSettled ? cost.settleTurn() : cost.endTurn());
      if (answered || errors || end.outcome === 'interrupted') return;
      // Its last words are missing, and with them how it ended.
      end.outcome = 'unknown';
      delete end.error;
    });
  }

  function withOwnId(line: Json): Json {
    const message = object(line.message);
    const id = line.type === 'assistant' ? string(message?.id) : undefined;
    if (id === undefined) return line;
    const first = turnOfId.get(id) ?? turns;
    turnOfId.set(id, first);
    return first === turns ? line : { ...line, message: { ...message, id: `${id}-${turns}` } };
  }

  function receive(line: Json, at: number, complete?: (end: DraftOf<'turn-end'>) => void): void {
    for (const draft of protocol.receive(line, 0).events) {
      if (draft.type === 'turn-end') complete?.(draft);
      add(draft, at);
    }
  }

  function add(draft: Draft, at: number): void {
    draft.source ??= 'transcript';
    drafts.push({ at, draft });
  }
}

/** As far as is written: somebody ended it, or its last words are there. */
function isOver({ answered, isInterrupted, limit, spoken }: Turn): boolean {
  return isInterrupted === true || limit !== undefined || (answered && !goesOn(spoken));
}

function isToolResult({ message }: Json): boolean {
  return objects(object(message)?.content).some((block) => block.type === 'tool_result');
}

/** The rest of the message comes when it is written. */
function goesOn(spoken: Json | undefined): boolean {
  const { stop_reason: reason, content } = object(spoken?.message) ?? {};
  return reason === 'tool_use' || objects(content).some(({ type }) => /thinking$/.test(string(type) ?? ''));
}

function callsTool(content: unknown): boolean {
  return objects(content).some((block) => block.type === 'tool_use');
}

function firstModel(entries: readonly Entry[]): string | undefined {
  for (const { value, part } of entries) {
    const model = part === undefined ? modelOf(value) : undefined;
    if (model !== undefined) return model;
  }
  return undefined;
}

function modelOf(value: Json): string | undefined {
  const model = string(object(value.message)?.model);
  return model === '<synthetic>' ? undefined : model;
}
