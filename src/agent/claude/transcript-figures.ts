/** What the turns of a transcript cost, without their words: told as the reader of all tells it, from excerpts of its lines. */
import { type Draft, type DraftOf, defined } from '../../event/index.js';
import { contentText } from '../claude-lines/content.js';
import { type Json, object, objects, string } from '../field.js';
import type { FiguresReader, Moment, TranscriptFigures } from '../transcript.js';
import { balanceOfCopies, createTranscriptCost } from './transcript-cost.js';
import { excerptOf } from './transcript-excerpt.js';
import { copiedOf, isPrompt, lineOf, titleOf } from './transcript-line.js';

export const figures: TranscriptFigures = { createReader };

/** As in the reader of all. */
const SLACK_MS = 20;

/** Turns that end in the same quarter of an hour are told as one: days begin at such times everywhere, and each turn costs more than its lines. */
const QUARTER_MS = 900_000;

interface Entry {
  value: Json;
  at: number;
  order: number;
  /** In the file of the conversation; a sub-agent may speak there too. */
  inMain: boolean;
  /** Of the conversation itself. */
  main: boolean;
}

function createReader(): FiguresReader {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  /** Of the file that is being read, and its time so far. */
  let file: string | undefined;
  let before: number | undefined;
  /** When the main file was begun: what is older was copied into it. */
  let begun: number | undefined;
  /** The one that names the session was read whole. Those of sub-agents and of another session that was copied do not name it, nor do commands. */
  let hasPrompt = false;
  /** Of the first call in the main file: a copy begins with calls of another conversation. */
  let forkOf: string | null | undefined;

  return {
    receive(line, part) {
      if (part !== file) {
        file = part;
        before = undefined;
      }
      const value = excerptOf(line, before !== undefined, hasPrompt);
      if (!value) return;
      if (part === undefined && forkOf === undefined && value.type === 'assistant')
        forkOf = copiedOf(object(line.whole()) ?? {}) ?? null;
      const { uuid } = value;
      if (typeof uuid === 'string') {
        if (seen.has(uuid)) return;
        seen.add(uuid);
      }
      const at = timeOf(value) ?? before;
      if (at === undefined) return;
      before = before === undefined || at > before ? at : before;
      const inMain = part === undefined;
      if (inMain) begun ??= at;
      const main = inMain && value.isSidechain !== true;
      const entry = { value, at, order: before, inMain, main };
      entries.push(entry);
      hasPrompt ||= main && !isCopied(entry) && isPrompt(value) && lineOf(value, undefined)?.isSynthetic !== true;
    },
    end() {
      const copies = entries.filter(isCopied);
      const own = copies.length > 0 ? entries.filter((entry) => !isCopied(entry)) : entries;
      own.sort((a, b) => a.order - b.order);
      const root = string(copies.find(({ value }) => value.type === 'user')?.value.uuid);
      const moments = tell(
        own,
        copies.map(({ value }) => value),
      );
      return { moments, ...(forkOf ? { forkOf } : root !== undefined && { copiedFrom: root }) };
    },
  };

  function isCopied({ at, inMain }: Entry): boolean {
    return inMain && begun !== undefined && at < begun - SLACK_MS;
  }
}

function tell(entries: readonly Entry[], copies: readonly Json[]): Moment[] {
  const moments: Moment[] = [];
  const balance = balanceOfCopies(copies);
  const cost = createTranscriptCost(balance);
  let turn: { answered: boolean; isError: boolean } | undefined;
  let turns = 0;
  let lastAt = 0;
  let sessionId: string | undefined;
  let hasPrompt = false;
  let lastTitle: string | undefined;
  let ended: { at: number; outcome: DraftOf<'turn-end'>['outcome']; turn: number } | undefined;
  if (balance) add({ type: 'usage-update', balance, turn: 0 }, entries[0]?.order ?? 0);

  for (const { value, order, main } of entries) {
    const { type } = value;
    if (type === 'assistant') cost.add(value, main);
    if (main) follow(value, order);
    if (isWord(value)) lastAt = order;
  }
  endTurn();
  settle();
  return moments;

  function follow(value: Json, at: number): void {
    const { type } = value;
    if (type === 'assistant') {
      if (!turn) return;
      turn.answered = value.callsTool === undefined ? !callsTool(value) : value.callsTool === false;
      turn.isError = value.isApiErrorMessage === true;
    } else if (type === 'result') {
      if (turn) turn.answered = false;
    } else if (type === 'cost-state') {
      cost.report(value);
      if (turn?.answered) endTurn();
    } else if (isPrompt(value)) beginTurn(value, at, false);
    else if (value.subtype === 'compact_boundary' && (!turn || turn.answered)) beginTurn(value, at, true);
    else if (turn && isToolResult(value)) turn.answered = false;
    const title = titleOf(value);
    if (title === undefined || title === lastTitle) return;
    lastTitle = title;
    add({ type: 'session-update', title, turn: turns }, at);
  }

  function beginTurn(value: Json, at: number, answered: boolean): void {
    endTurn();
    turns += 1;
    turn = { answered, isError: false };
    sessionId ??= string(value.sessionId);
    if (turns === 1) introduce(value, at);
    const line = hasPrompt || value.type !== 'user' ? undefined : lineOf(value, undefined);
    if (!line || line.isSynthetic === true) return;
    hasPrompt = true;
    add({ type: 'user-message', text: contentText(object(line.message)?.content), turn: turns }, at);
  }

  function introduce({ cwd, version }: Json, at: number): void {
    const facts = defined({ model: firstModel(entries), cwd: string(cwd), agentVersion: string(version) });
    add({ type: 'session-start', ...facts, turn: 0 }, at);
  }

  function endTurn(): void {
    if (!turn) return;
    const outcome = turn.isError ? 'failed' : turn.answered ? 'success' : 'unknown';
    turn = undefined;
    const { isAnew, isApart } = cost;
    if (ended && (isApart || quarterOf(ended.at) !== quarterOf(lastAt))) settle();
    cost.putBy();
    ended = { at: lastAt, outcome, turn: turns };
    if (isAnew) settle();
  }

  /** Tells the turns that ended since the last time. */
  function settle(): void {
    if (!ended) return;
    const { at, ...end } = ended;
    ended = undefined;
    add({ type: 'turn-end', ...end, ...cost.endTurns() }, at);
  }

  function add(draft: Draft, at: number): void {
    draft.source = 'transcript';
    if (sessionId !== undefined) draft.sessionId = sessionId;
    moments.push({ at, draft });
  }
}

/** As in the reader of all: what tells when a turn ended. */
function isWord({ type, attachment }: Json): boolean {
  return type === 'assistant' || type === 'user' || type === 'result' || object(attachment)?.type === 'queued_command';
}

/** An excerpt tells it in ms. */
function timeOf({ timestamp }: Json): number | undefined {
  if (typeof timestamp === 'number') return timestamp;
  return (typeof timestamp === 'string' && Date.parse(timestamp)) || undefined;
}

const quarterOf = (at: number): number => Math.floor(at / QUARTER_MS);

function callsTool({ message }: Json): boolean {
  return objects(object(message)?.content).some((block) => block.type === 'tool_use');
}

function isToolResult({ message }: Json): boolean {
  return objects(object(message)?.content).some((block) => block.type === 'tool_result');
}

function firstModel(entries: readonly Entry[]): string | undefined {
  for (const { value, inMain } of entries) {
    const model = inMain ? string(object(value.message)?.model) : undefined;
    if (model !== undefined && model !== '<synthetic>') return model;
  }
  return undefined;
}
