/**
 * Codex's rollouts on disk: `<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`. They are told as the lines that `codex exec --json`
 * prints. Newer releases write whole items, older ones what went to and came from the model.
 */
import { defined, type Usage } from '../../event/index.js';
import { addUsage } from '../../ledger/index.js';
import type { CommandRequest } from '../command.js';
import { anyString, type Json, lookUp, members, number, string, strings } from '../field.js';
import { computeCost } from '../price.js';
import { createRetelling, type TurnEnd } from '../retelling.js';
import { createSubAgents } from '../sub-agents.js';
import type { TranscriptReader, Transcripts } from '../transcript.js';
import { ratesOf } from './price.js';
import { createStreamProtocol } from './stream.js';
import { trace } from './trace.js';
import { callItem, outputItem, type Spelling, spellItem } from './transcript-item.js';
import { usageOf } from './wire.js';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: new RegExp(`(^|/)rollout-[^/]*-${UUID}\\.jsonl$`),
  identify(path, first) {
    const [, id] = new RegExp(`-(${UUID})\\.jsonl$`).exec(path) ?? [];
    if (id === undefined) return undefined;
    const meta = members(members(first()).payload);
    const parent = callerOf(meta);
    if (parent === undefined) return { sessionId: id };
    return { sessionId: string(meta.session_id) ?? parent, part: id };
  },
  createReader,
};

/** The thread that a sub-agent works for. */
function callerOf({ source, parent_thread_id }: Json): string | undefined {
  const { subagent } = members(source);
  if (subagent === undefined) return undefined;
  return string(parent_thread_id) ?? string(members(members(subagent).thread_spawn).parent_thread_id);
}

function createReader(): TranscriptReader {
  let facts: Pick<Partial<CommandRequest>, 'model' | 'cwd'> = {};
  const retelling = createRetelling(() => createStreamProtocol(facts));
  const subAgents = createSubAgents(retelling, createReader);
  /** Each sub-agent, with the one of ours that it works for. */
  const children = new Map<string, string>();
  let thread: string | undefined;
  const spend = createSpend();
  let spelling: Spelling = { isExec: true, shell: '/bin/bash' };
  let forkOf: string | undefined;
  /** Newer releases tell calls as items; then what the model asked for is told only where no item follows. */
  let hasItems = false;
  /** Before that, turns were not told either: one begins where somebody speaks, and is answered when nothing has to follow. */
  let hasTurns = false;
  let isAnswered = false;
  let isLive = false;
  /** Calls that were made and have no result yet. */
  const open = new Map<string, Json>();
  /** To-do lists that are only wanted so far. */
  const wanted = new Map<string, Json>();
  const calls = createCallNames();

  const tell = (type: string, body: Json, at: number): void => retelling.tell({ type, ...body }, at);
  const tellItem = (item: Json | undefined, phase: 'started' | 'completed', at: number): void => {
    if (item) tell(`item.${phase}`, { item }, at);
  };

  const entries: Readonly<Record<string, (payload: Json, at: number) => void>> = {
    session_meta({ id, cwd, source, originator, cli_version, forked_from_id }, at) {
      thread ??= string(id);
      forkOf ??= string(forked_from_id);
      facts = defined({ ...facts, cwd: string(cwd) });
      spelling = { ...spelling, isExec: source === 'exec' || originator === 'codex_exec' };
      retelling.introduce(string(id), { agentVersion: string(cli_version), cwd: string(cwd) }, at);
      tell('thread.started', { thread_id: id }, at);
    },
    turn_context({ model, cwd }, at) {
      const name = string(model);
      if (name !== undefined && name !== facts.model) retelling.learn({ model: name }, at);
      facts = defined({ model: name ?? facts.model, cwd: string(cwd) ?? facts.cwd });
    },
    event_msg(payload, at) {
      lookUp(messages, string(payload.type))?.(payload, at);
    },
    response_item(payload, at) {
      lookUp(responses, string(payload.type))?.(payload, at);
    },
  };

  const messages: typeof entries = {
    task_started: startTurn,
    turn_started: startTurn,
    task_complete: endTurn,
    turn_complete: endTurn,
    turn_aborted(_, at) {
      tellOpen(at);
      retelling.tell({ type: 'turn.completed' }, at, (end) => {
        Object.assign(end, spend.take(facts.model), { outcome: 'interrupted', text: undefined });
        subAgents.charge(end);
      });
    },
    item_completed(payload, at) {
      hasItems = true;
      const item = calls.named(spellItem(members(payload.item), spelling));
      open.delete(anyString(item?.id) ?? '');
      // Whom it calls is known only at its end.
      if (item?.tool === 'spawn_agent')
        tellItem({ ...item, receiver_thread_ids: [], agents_states: {} }, 'started', at);
      tellItem(item, 'completed', at);
      for (const child of strings(item?.receiver_thread_ids) ?? []) subAgents.adopt(child, string(item?.id) ?? '');
    },
    collab_agent_spawn_end({ call_id, new_thread_id }) {
      const child = string(new_thread_id);
      if (child !== undefined) subAgents.adopt(child, string(call_id) ?? '');
    },
    user_message: ({ message }, at) => heard(message, at),
    agent_message: ({ message }, at) => said('agent_message', message, at),
    agent_reasoning: ({ text }, at) => said('reasoning', text, at),
    context_compacted: (_, at) => said('context_compaction', undefined, at),
    patch_apply_end: ended,
    exec_command_end: ended,
    mcp_tool_call_end: ended,
    web_search_end: ended,
    token_count({ info, rate_limits }, at) {
      spend.see(members(info), forkOf !== undefined);
      tell('token_count', { rate_limits }, at);
    },
    error({ message }, at) {
      tell('error', { message }, at);
    },
  };

  const responses: typeof entries = {
    function_call: called,
    custom_tool_call: called,
    local_shell_call: called,
    web_search_call(payload, at) {
      if (!hasItems) tellItem(callItem(payload, spelling), 'completed', at);
    },
    function_call_output: answered,
    custom_tool_call_output: answered,
    message({ role, content }) {
      const [, shell] = role === 'user' ? (/<shell>(\w+)<\/shell>/.exec(JSON.stringify(content) ?? '') ?? []) : [];
      if (shell !== undefined) spelling = { ...spelling, shell: `/bin/${shell}` };
    },
  };

  function startTurn(_: Json, at: number): void {
    hasTurns = true;
    tell('turn.started', {}, at);
  }

  function heard(message: unknown, at: number): void {
    if (hasItems) return;
    if (!hasTurns && isAnswered) endTurn({}, retelling.lastAt);
    if (!hasTurns) tell('turn.started', {}, at);
    isAnswered = false;
    retelling.userSaid(anyString(message) ?? '', at);
  }

  function said(type: string, text: unknown, at: number): void {
    if (!hasItems) tellItem({ type, text }, 'completed', at);
    isAnswered = type === 'agent_message';
  }

  function called(payload: Json, at: number): void {
    isAnswered = false;
    const given = string(payload.call_id) ?? string(payload.id);
    if (given === undefined) return;
    const id = calls.begin(given);
    const item = calls.named(callItem(payload, spelling));
    if (item?.type === 'todo_list') wanted.set(id, item);
    else if (item) {
      open.set(id, item);
      if (!hasItems) tellItem(item, 'started', at);
    }
  }

  function ended(payload: Json, at: number): void {
    if (hasItems) return;
    const item = calls.named(spellItem(payload, spelling));
    open.delete(anyString(item?.id) ?? '');
    tellItem(item, 'completed', at);
  }

  function answered({ call_id, output }: Json, at: number): void {
    const id = calls.current(string(call_id) ?? '');
    const list = wanted.get(id);
    wanted.delete(id);
    if (list && !NOT_DONE.test(anyString(output) ?? '')) tellItem(list, 'started', at);
    const call = open.get(id);
    const item = call && outputItem(call, output);
    // Without an end of its own it ends with its turn.
    if (!item || hasItems) return;
    open.delete(id);
    tellItem(item, 'completed', at);
  }

  /** Calls without an end, which the stream would have shown as begun. */
  function tellOpen(at: number): void {
    if (hasItems) for (const item of open.values()) tellItem(item, 'started', at);
    open.clear();
  }

  function endTurn({ error, last_agent_message, duration_ms }: Json, at: number): void {
    tellOpen(at);
    const message = string(members(error).message);
    const line = message === undefined ? { type: 'turn.completed' } : { type: 'turn.failed', error: { message } };
    retelling.tell(line, at, (end) => complete(end, last_agent_message, duration_ms));
  }

  function complete(end: TurnEnd, answer: unknown, durationMs: unknown): void {
    Object.assign(end, spend.take(facts.model));
    subAgents.charge(end);
    end.text ??= string(answer);
    end.durationMs = number(durationMs);
  }

  /** Its file begins with who called it; one that was called by another sub-agent is told by that one. */
  function hearSubAgent(entry: Json, part: string): void {
    const meta = members(entry.payload);
    const caller = entry.type === 'session_meta' ? callerOf(meta) : undefined;
    if (caller !== undefined && !children.has(part)) {
      const isOurs = caller === meta.session_id || caller === thread;
      children.set(part, isOurs ? part : (children.get(caller) ?? part));
    }
    const own = children.get(part) ?? part;
    const at = Date.parse(string(entry.timestamp) ?? '') || undefined;
    subAgents.receive(own, entry, at, own === part ? undefined : part);
    if (isLive) subAgents.advance(at ?? 0);
  }

  const origin = () => (forkOf === undefined ? {} : { forkOf });

  return {
    receive(value, part) {
      const entry = members(value);
      if (part !== undefined) {
        hearSubAgent(entry, part);
        return retelling.take();
      }
      const at = Date.parse(string(entry.timestamp) ?? '') || retelling.lastAt;
      subAgents.advance(at);
      lookUp(entries, string(entry.type))?.(members(entry.payload), at);
      return retelling.take();
    },
    keepUp() {
      isLive = true;
      return [];
    },
    settle() {
      if (!hasTurns && isAnswered && retelling.inTurn) endTurn({}, retelling.lastAt);
      return retelling.take();
    },
    origin,
    end() {
      tellOpen(retelling.lastAt);
      subAgents.finishAll();
      if (!hasTurns && isAnswered && retelling.inTurn) endTurn({}, retelling.lastAt);
      retelling.close((end) => {
        Object.assign(end, spend.take(facts.model));
        subAgents.charge(end);
      });
      return { moments: retelling.take(), ...origin() };
    },
  };
}

/** What a model is told of a call that was not even begun. */
const NOT_DONE = /^(unsupported call|failed to parse)\b/;

/** A model may give the id of an earlier call to another one, and the file has no other name for either. */
function createCallNames() {
  const times = new Map<string, number>();
  const current = (id: string): string => ((times.get(id) ?? 1) > 1 ? `${id}#${times.get(id)}` : id);
  return {
    begin(id: string): string {
      times.set(id, (times.get(id) ?? 0) + 1);
      return current(id);
    },
    current,
    named: (item: Json | undefined): Json | undefined =>
      typeof item?.id === 'string' && times.has(item.id) ? { ...item, id: current(item.id) } : item,
  };
}

/** What each turn used, from totals of the thread. After an overflow they are set to nothing, which nobody gets back. */
function createSpend() {
  let before: Json | undefined;
  let usage: Usage | undefined;
  return {
    /** The totals of a copy contain what it was copied from, which was paid for there. */
    see(info: Json, isCopy: boolean): void {
      const total = members(info.total_token_usage);
      if (!before) before = isCopy ? subtracted(total, members(info.last_token_usage)) : {};
      const grown = subtracted(total, before);
      before = total;
      usage = addUsage(usage, usageOf(grown));
    },
    take(model: string | undefined) {
      const spent = usage;
      usage = undefined;
      const cost = computeCost(spent, ratesOf(model), 'turn');
      return { usage: spent, usageScope: undefined, cost };
    },
  };
}

const subtracted = (total: Json, part: Json): Json =>
  Object.fromEntries(
    Object.entries(total).map(([name, count]) => [name, Math.max(0, (number(count) ?? 0) - (number(part[name]) ?? 0))]),
  );
