/**
 * Claude Code's sessions on disk, of all generations: `<project>/<session>.jsonl`, with sub-agents within it (1.0), beside it (2.0) or
 * below it (2.1). They are read by the protocol of the stream, so that both give the same events.
 */
import type { Draft, DraftOf } from '../../event/index.js';
import { contentText } from '../claude-lines/content.js';
import { type Json, object, objects, string } from '../field.js';
import type { Transcript, TranscriptReader, Transcripts } from '../transcript.js';
import { createProtocol } from './protocol.js';
import { createTranscriptCost } from './transcript-cost.js';
import { isPrompt, lineOf, titleOf } from './transcript-line.js';
import { createParents } from './transcript-parent.js';

export const transcripts: Transcripts = {
  folders: ['$CLAUDE_CONFIG_DIR/projects', '~/.claude/projects'],
  identify(path, first) {
    const [name = '', folder, session] = path.split('/').reverse();
    const [, part] = /^agent-([^.]+)\.(jsonl|meta\.json)$/.exec(name) ?? [];
    if (part === undefined) return UUID_FILE.test(name) ? { sessionId: name.slice(0, -6) } : undefined;
    const sessionId = folder === 'subagents' ? session : string(object(first)?.sessionId);
    return sessionId === undefined ? undefined : { sessionId, part };
  },
  createReader,
};

const UUID_FILE = /^[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/;

/** Clocks and writers disagree by less than this. */
const SLACK_MS = 500;

interface Entry {
  value: Json;
  at: number;
  /** Never goes back within a file, so that sorting by it keeps the order of each file. */
  order: number;
  part: string | undefined;
}

function createReader(): TranscriptReader {
  const entries: Entry[] = [];
  const orders = new Map<string | undefined, number>();
  const parents = createParents();
  const seen = new Set<string>();

  return {
    receive(value, part) {
      const entry = object(value);
      const uuid = string(entry?.uuid);
      // Some versions wrote the whole conversation again with each message.
      if (!entry || (uuid !== undefined && seen.has(uuid))) return;
      if (uuid !== undefined) seen.add(uuid);
      parents.note(entry, part);
      const order = orders.get(part);
      const at = Date.parse(string(entry.timestamp) ?? '') || order;
      if (at === undefined || string(entry.type) === undefined) return;
      orders.set(part, Math.max(order ?? 0, at));
      entries.push({ value: entry, at, order: Math.max(order ?? 0, at), part });
    },
    end() {
      const main = entries.filter(({ part }) => part === undefined);
      const begun = main[0]?.at ?? 0;
      // A fork begins with the past of another conversation, which keeps its times.
      const isCopied = ({ at, part }: Entry) => part === undefined && at < begun - SLACK_MS;
      const copies = main.filter(isCopied);
      const own = entries.filter((entry) => !isCopied(entry)).sort((a, b) => a.order - b.order);
      const root = string(copies.find(({ value }) => value.type === 'user')?.value.uuid);
      return { drafts: translate(own, copies, parents.of), ...(root !== undefined && { copiedFrom: root }) };
    },
  };
}

type ParentOf = (entry: Json, part?: string) => string | null | undefined;

function translate(entries: Entry[], copies: Entry[], parentOf: ParentOf): Transcript['drafts'] {
  const drafts: Transcript['drafts'] = [];
  const protocol = createProtocol();
  const cost = createTranscriptCost();
  const model = firstModel(entries);
  /** The turn of each message id: one that comes again in another turn, as some gateways do, is another message. */
  const turnOfId = new Map<string, number>();
  let turns = 0;
  let turn: { at: number; answered: boolean; spoken?: Json } | undefined;
  let permissionMode: string | undefined;
  let lastAt = 0;
  for (const { value } of copies) cost.addCopied(value);

  for (const { value, part, order: at } of entries) {
    const parent = parentOf(value, part);
    if (value.type === 'assistant') cost.add(value, parent === undefined);
    // Null: a request that the program makes for itself, for example to warm up a cache.
    if (parent === null) continue;
    if (parent === undefined) follow(value, at);
    const title = titleOf(value);
    const line =
      title === undefined ? lineOf(value, parent) : { type: 'system', subtype: 'session_title_changed', title };
    if (!line) continue;
    receive(parent === undefined ? withOwnId(line) : line, at);
    lastAt = at;
  }
  endTurn();
  for (const draft of protocol.end().events) add(draft, lastAt);
  return drafts;

  function follow(value: Json, at: number): void {
    if (value.type === 'cost-state') {
      cost.report(value);
      // It is written when the process ends, which may also be in the middle of a turn.
      if (turn?.answered) endTurn();
    } else if (isPrompt(value)) {
      beginTurn(value, at, false);
    } else if (value.subtype === 'compact_boundary' && !turn) {
      beginTurn(value, at, true);
    } else if (turn && value.type === 'assistant') {
      turn.spoken = value;
      turn.answered = !callsTool(object(value.message)?.content);
    } else if (turn && isToolResult(value)) {
      turn.answered = false;
    }
  }

  function beginTurn(value: Json, at: number, answered: boolean): void {
    endTurn();
    turns += 1;
    turn = { at, answered };
    permissionMode = string(value.permissionMode) ?? permissionMode;
    const { cwd, version, sessionId } = value;
    const facts = { model, cwd, permissionMode, claude_code_version: version, session_id: sessionId };
    receive({ type: 'system', subtype: 'init', ...facts }, at);
  }

  function endTurn(): void {
    if (!turn) return;
    const { at, answered, spoken } = turn;
    turn = undefined;
    const message = object(spoken?.message);
    const line = {
      type: 'result',
      subtype: answered ? 'success' : 'error_during_execution',
      is_error: spoken?.isApiErrorMessage === true || !answered,
      ...(answered && message && { result: contentText(message.content) }),
      stop_reason: message?.stop_reason,
      duration_ms: lastAt - at,
    };
    receive(line, lastAt, (end) => {
      Object.assign(end, cost.endTurn());
      if (answered || end.outcome === 'interrupted') return;
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

function isToolResult({ message }: Json): boolean {
  return objects(object(message)?.content).some((block) => block.type === 'tool_result');
}

function callsTool(content: unknown): boolean {
  return objects(content).some((block) => block.type === 'tool_use');
}

function firstModel(entries: readonly Entry[]): string | undefined {
  const models = entries.map(({ value, part }) =>
    part === undefined ? string(object(value.message)?.model) : undefined,
  );
  return models.find((model) => model !== undefined && model !== '<synthetic>');
}
