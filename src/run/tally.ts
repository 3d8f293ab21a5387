/** What a run came to so far, read off its events: answer, cost, usage, what is open, what it is doing. */
import type { AgentEvent, Completion, Cost, ErrorFacts, EventOf, TurnOutcome, Usage } from '../event/index.js';

export interface Tally {
  see(event: AgentEvent): void;
  /** The part of a completion that events tell. */
  facts(): Pick<Completion, 'text' | 'error' | 'cost' | 'usage' | 'turns' | 'structuredOutput' | 'sessionId'>;
  open(): Pick<Completion['open'], 'tools' | 'tasks' | 'approvals'>;
  /** How the last turn ended; undefined while one is open or none was. */
  outcome(): TurnOutcome | undefined;
  isTurnOpen(): boolean;
  /** For people: `running Bash: npm test`. */
  doing(): string;
  spentUsd(): number | undefined;
  spentTokens(): number;
}

/** `baselineUsd`: what the resumed session had cost before this run; null when it resumes one and that is unknown. */
export function createTally(baselineUsd: number | null = 0): Tally {
  const tools = new Map<string, { name: string; summary: string }>();
  const tasks = new Set<string>();
  const approvals = new Map<string, string>();
  const turnsOpen = new Set<number>();
  const money = createMoney(baselineUsd);
  const tokens = createTokens();
  let turns = 0;
  let text: string | undefined;
  let said: { messageId: string; blocks: string[] } | undefined;
  let error: ErrorFacts | undefined;
  let structuredOutput: unknown;
  let sessionId: string | undefined;
  let outcome: TurnOutcome | undefined;

  function seeTurnEnd(event: EventOf<'turn-end'>): void {
    turnsOpen.delete(event.turn);
    outcome = event.outcome;
    text = event.text ?? text;
    // The stream was cut: the agent itself ended no turn, and what it said before still counts.
    if (outcome === 'unknown') return;
    turns += 1;
    error = event.error;
    structuredOutput = event.structuredOutput ?? structuredOutput;
    money.endTurn(event.cost);
    // What reaches back to earlier runs is not this run's; unknown is better than wrong.
    tokens.endTurn(event.usageScope === 'session' ? undefined : event.usage);
  }

  return {
    see(event) {
      sessionId = event.sessionId ?? sessionId;
      switch (event.type) {
        case 'turn-start':
          turnsOpen.add(event.turn);
          outcome = undefined;
          break;
        case 'turn-end':
          seeTurnEnd(event);
          break;
        case 'text-end':
          if (event.parent) break;
          if (said?.messageId !== event.messageId) said = { messageId: event.messageId, blocks: [] };
          said.blocks.push(event.text);
          break;
        case 'message-end':
          tokens.add(event.usage, event.parent !== undefined);
          break;
        case 'usage-update':
          if (event.cost) money.note(event.cost);
          break;
        case 'agent-error':
          if (event.fatal) error = event;
          break;
        case 'tool-start':
          tools.set(event.id, { name: event.name, summary: event.title ?? '' });
          break;
        case 'tool-input-end': {
          const tool = tools.get(event.id);
          if (tool) tool.summary = event.summary;
          break;
        }
        case 'tool-end':
          tools.delete(event.id);
          break;
        case 'task-start':
          tasks.add(event.id);
          break;
        case 'task-end':
          tasks.delete(event.id);
          break;
        case 'approval-request':
          approvals.set(event.id, event.toolName ?? event.title ?? event.kind);
          break;
        case 'approval-resolve':
        case 'approval-withdraw':
          approvals.delete(event.id);
          break;
      }
    },
    facts() {
      const answer = text ?? said?.blocks.join('\n');
      const cost = money.cost();
      const usage = tokens.usage();
      return {
        turns,
        ...(answer !== undefined && { text: answer }),
        ...(error && { error: factsOf(error) }),
        ...(cost && { cost }),
        ...(usage && { usage }),
        ...(structuredOutput !== undefined && { structuredOutput }),
        ...(sessionId !== undefined && { sessionId }),
      };
    },
    open: () => ({ tools: [...tools.keys()], tasks: [...tasks], approvals: [...approvals.keys()] }),
    outcome: () => outcome,
    isTurnOpen: () => turnsOpen.size > 0,
    doing() {
      const [asked] = approvals.values();
      if (asked) return `waiting for an answer about ${asked}`;
      const tool = [...tools.values()].at(-1);
      if (tool) return `running ${tool.name}${tool.summary && `: ${tool.summary}`}`;
      if (turnsOpen.size > 0) return 'waiting for the model';
      if (tasks.size > 0) return `waiting for ${tasks.size} background task${tasks.size > 1 ? 's' : ''}`;
      return turns > 0 ? 'done with its turn' : 'starting';
    },
    spentUsd: () => money.cost()?.usd,
    spentTokens: tokens.total,
  };
}

/** What this run alone cost, from figures that reach back differently far. */
function createMoney(baselineUsd: number | null) {
  let settled: number | undefined;
  /** The figure of a turn that is not over; each new one replaces it. */
  let running: number | undefined;
  let first: Cost | undefined;
  let last: Cost | undefined;

  function note(cost: Cost): void {
    if (cost.scope === 'turn') running = cost.usd;
    first ??= cost;
    last = cost;
  }

  return {
    note,
    endTurn(cost: Cost | undefined) {
      if (cost) note(cost);
      if (running !== undefined) settled = (settled ?? 0) + running;
      running = undefined;
    },
    cost(): Cost | undefined {
      if (!first || !last) return undefined;
      const byTurn = running === undefined ? settled : (settled ?? 0) + running;
      if (byTurn !== undefined) return { ...last, usd: byTurn, scope: 'process' };
      if (last.scope === 'process') return last;
      // Where nobody kept what the session had cost before, the agent may still tell the share of its first turn.
      const before = baselineUsd ?? (first.turnUsd === undefined ? undefined : first.usd - first.turnUsd);
      if (before !== undefined) return { usd: Math.max(0, last.usd - before), scope: 'process', origin: last.origin };
      // What the session had cost before is unknown, so only what was added since the first figure is sure.
      return { usd: Math.max(0, last.usd - first.usd), scope: 'process', origin: 'lower-bound' };
    },
  };
}

/** Tokens of the whole run: exact where a turn's end tells them, else the sum of its messages. */
function createTokens() {
  let settled: Usage | undefined;
  let running: Usage | undefined;
  let ofChildren = 0;
  const all = () => sum(settled, running);
  return {
    add(usage: Usage | undefined, ofChild: boolean) {
      if (ofChild) ofChildren += count(usage);
      else running = sum(running, usage);
    },
    endTurn(usage: Usage | undefined) {
      settled = sum(settled, usage ?? running);
      running = undefined;
    },
    usage: all,
    total: () => count(all()) + ofChildren,
  };
}

function sum(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  const total: Usage = { ...a };
  for (const key of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'thinkingTokens'] as const) {
    if (b[key] !== undefined) total[key] = (a[key] ?? 0) + b[key];
  }
  return total;
}

/** Without cached reads, which cost little and are many. */
function count(usage: Usage | undefined): number {
  return (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0) + (usage?.cacheWriteTokens ?? 0);
}

function factsOf({ category, message, hint, httpStatus }: ErrorFacts): ErrorFacts {
  return { category, message, ...(hint !== undefined && { hint }), ...(httpStatus !== undefined && { httpStatus }) };
}
