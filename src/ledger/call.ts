/** The model calls of a run as its events show them, each with what it was made for. */
import type { AgentEvent, EventOf, Usage } from '../event/index.js';
import type { Cause } from './cause.js';
import { fingerprint } from './fingerprint.js';
import { createSteps } from './step.js';
import { isTelling } from './usage.js';

export interface Call {
  model?: string | undefined;
  /** That it was made is known by what came of it: a summary, a sub-agent. By which model is not. */
  isUnseen?: true;
  /** As the agent tells it; what is absent is not told of this call. */
  usage: Usage;
  /** What it was made for, each with an equal part. */
  causes: readonly Cause[];
  /** Tokens that were in the cache before and were paid for again. */
  broken: number;
  /** Characters that it wrote: the rest of a turn's output is shared out by them. */
  written: number;
}

export interface Calls {
  see(event: AgentEvent): void;
  /** Those since it was last asked, and everything that could have caused one. */
  take(): { calls: Call[]; occurred: ReadonlySet<Cause> };
}

// biome-ignore format: to be read at one glance
type Causeless =
  | 'session-start' | 'session-update' | 'text-delta' | 'thinking-start' | 'thinking-delta' | 'tool-input-delta'
  | 'tool-output-delta' | 'tool-progress' | 'todo-update' | 'plan-mode' | 'task-progress' | 'task-end'
  | 'approval-request' | 'approval-resolve' | 'approval-withdraw' | 'permission-deny' | 'status' | 'retry' | 'rate-limit'
  | 'hook-start' | 'hook-end' | 'usage-update' | 'turn-end' | 'agent-error' | 'decode-error' | 'warning' | 'gap'
  | 'unknown' | 'run-end';

export function createCalls(): Calls {
  let calls = new Map<string, Call>();
  let occurred = new Set<Cause>();
  /** What the next call of the main conversation is made for. */
  let pending: Cause[] = [];
  /** While the conversation is summed up: whether the call that does it was seen. */
  let summary: 'unseen' | 'seen' | undefined;
  /** Those that run. */
  const tools = new Map<string, { name: string; messageId: string | undefined; given?: string }>();
  /** What was given to tools of the main conversation, and what they gave back for it last. */
  const results = new Map<string, string>();

  const cache = createCache();
  const stepCache = createCache();
  const steps = createSteps(stepCache.brokenBy);

  return {
    see,
    take() {
      const taken = { calls: told([...calls.values()], steps.take()), occurred };
      calls = new Map();
      occurred = new Set();
      return taken;
    },
  };

  function see(event: AgentEvent): void {
    const isMain = event.parent === undefined;
    steps.see(event);
    switch (event.type) {
      case 'turn-start':
        if (isMain) beginTurn(event);
        break;
      case 'user-message':
        if (isMain && !event.synthetic && !event.replay) hear();
        break;
      case 'message-start':
        begin(event);
        break;
      case 'message-end':
        end(event);
        break;
      case 'message-retract':
        if (event.index === undefined) takeBack(event);
        break;
      case 'text-end':
      case 'thinking-end':
        wrote(event.messageId, event.text);
        break;
      case 'tool-start':
        tools.set(event.id, { name: event.name, messageId: event.messageId });
        break;
      case 'tool-input-end':
        giveTool(event);
        break;
      case 'tool-end':
        hearTool(event);
        break;
      case 'file-change':
        results.clear();
        break;
      case 'task-start':
        if (event.kind === 'agent') addUnseen(`task ${event.id}`, 'sub-agent');
        break;
      case 'compaction-start':
        if (isMain) compact();
        break;
      case 'compaction-end':
        if (isMain) compacted(event);
        break;
      case 'session-change':
        forgetCache();
        break;
      default:
        event satisfies EventOf<Causeless>;
    }
  }

  /** What was left unread by the turn before causes nothing any more. */
  function beginTurn({ origin }: EventOf<'turn-start'>): void {
    pending = [];
    ask(origin === undefined ? 'prompt' : 'agent');
  }

  function ask(cause: Cause): void {
    pending.push(cause);
    steps.ask(cause);
    occurred.add(cause);
  }

  function hear(): void {
    results.clear();
    // The prompt with which a turn begins is told by the turn already.
    if (!pending.includes('prompt')) ask('prompt');
  }

  function giveTool({ id, input }: EventOf<'tool-input-end'>): void {
    const tool = tools.get(id);
    if (!tool) return;
    const text = JSON.stringify(input) ?? '';
    tool.given = `${tool.name} ${fingerprint(text)}`;
    wrote(tool.messageId ?? '', text);
  }

  function hearTool({ id, status, output, parent }: EventOf<'tool-end'>): void {
    const given = tools.get(id)?.given;
    tools.delete(id);
    if (parent === undefined) ask(status === 'failed' || status === 'denied' ? `${status}-tool` : heard(given, output));
  }

  /** Silence says nothing twice: many commands print nothing when all is well. */
  function heard(given: string | undefined, output: string | undefined): Cause {
    if (given === undefined || !output) return 'tool';
    const result = fingerprint(output);
    const isAgain = results.get(given) === result;
    results.set(given, result);
    return isAgain ? 'repeated-tool' : 'tool';
  }

  function compact(): void {
    summary = 'unseen';
    occurred.add('compaction');
  }

  /** Some agents show the call that sums up, others only that it happened. */
  function compacted({ seq, error }: EventOf<'compaction-end'>): void {
    if (error === undefined && summary !== 'seen') addUnseen(`compaction ${seq}`, 'compaction');
    if (error === undefined) forgetCache();
    summary = undefined;
  }

  function begin({ messageId, model, parent }: EventOf<'message-start'>): void {
    addCall(messageId, model, parent === undefined ? causesOfNext() : ['sub-agent']);
  }

  function addUnseen(id: string, cause: Cause): void {
    occurred.add(cause);
    calls.set(id, { usage: {}, causes: [cause], broken: 0, written: 0, isUnseen: true });
  }

  function addCall(id: string, model: string | undefined, causes: Cause[]): void {
    calls.set(id, { model, usage: {}, causes, broken: 0, written: 0 });
    for (const cause of causes) occurred.add(cause);
  }

  function causesOfNext(): Cause[] {
    if (summary !== undefined) {
      summary = 'seen';
      return ['compaction'];
    }
    const causes: Cause[] = pending.length > 0 ? pending : ['agent'];
    pending = [];
    return causes;
  }

  /** A message of which nothing is told may be several calls, or none: it is no call, and what it was for is still to be done. */
  function end({ messageId, model, usage, parent }: EventOf<'message-end'>): void {
    const call = calls.get(messageId);
    if (!call || call.causes.includes('retry')) return;
    if (usage)
      calls.set(messageId, { ...call, model: model ?? call.model, usage, broken: parent ? 0 : cache.brokenBy(usage) });
    else {
      calls.delete(messageId);
      if (parent === undefined) pending.unshift(...call.causes);
    }
  }

  function forgetCache(): void {
    cache.forget();
    stepCache.forget();
  }

  /** What it was made for is still to be done. */
  function takeBack({ messageId, parent }: EventOf<'message-retract'>): void {
    const call = calls.get(messageId);
    if (!call || parent !== undefined) return;
    pending.unshift(...call.causes);
    calls.set(messageId, { ...call, causes: ['retry'], broken: 0 });
    occurred.add('retry');
  }

  function wrote(messageId: string, text: string): void {
    const call = calls.get(messageId);
    if (call) call.written += text.length;
  }
}

/** Where no message tells its usage, the growth of the running sum does; what was only seen to happen counts with either. */
function told(calls: Call[], steps: readonly Call[]): Call[] {
  if (steps.length === 0 || calls.some(({ usage }) => isTelling(usage))) return calls;
  return [...calls.filter(({ isUnseen }) => isUnseen), ...steps];
}

/** What the latest call of the main conversation had in the cache. */
function createCache() {
  let cached = 0;
  return {
    /** Tokens that were there and were paid for again. */
    brokenBy({ inputTokens = 0, cacheReadTokens, cacheWriteTokens = 0 }: Usage): number {
      if (cacheReadTokens === undefined) return 0;
      const lost = cached - cacheReadTokens;
      cached = cacheReadTokens + cacheWriteTokens;
      return Math.max(0, Math.min(lost, inputTokens + cacheWriteTokens));
    },
    forget() {
      cached = 0;
    },
  };
}
