/** What a run came to so far, read off its events: answer, cost, usage, what is open, what it is doing. */
import type { AgentEvent, Completion, ErrorFacts, EventOf, ReachedLimit, TurnOutcome } from '../event/index.js';
import { balanceOf, costOf, createRunLedgers, tokensSpent, usageOf } from '../ledger/index.js';

export interface RunSummary {
  see(event: AgentEvent): void;
  /** The part of a completion that events tell. */
  facts(): Pick<
    Completion,
    'text' | 'error' | 'cost' | 'usage' | 'balance' | 'turns' | 'structuredOutput' | 'sessionId'
  >;
  open(): Pick<Completion['open'], 'tools' | 'tasks' | 'approvals'>;
  /** How the last turn ended; undefined while one is open or none was. */
  outcome(): TurnOutcome | undefined;
  /** The limit of the account that is reached, where its end is known. */
  reachedLimit(): ReachedLimit | undefined;
  isTurnOpen(): boolean;
  /** A question waits for an answer. */
  isAsking(): boolean;
  /** In the background. */
  hasTasks(): boolean;
  /** For people: `running Bash: npm test`. */
  doing(): string;
  spentUsd(): number | undefined;
  spentTokens(): number;
}

export function createRunSummary(): RunSummary {
  const tools = new Map<string, { name: string; summary: string }>();
  const tasks = new Set<string>();
  const approvals = new Map<string, string>();
  const turnsOpen = new Set<number>();
  const book = createRunLedgers();
  let turns = 0;
  let text: string | undefined;
  let said: { messageId: string; blocks: string[] } | undefined;
  let error: ErrorFacts | undefined;
  let structuredOutput: unknown;
  let sessionId: string | undefined;
  let outcome: TurnOutcome | undefined;
  let reached: ReachedLimit | undefined;

  function seeTurnEnd(event: EventOf<'turn-end'>): void {
    turnsOpen.delete(event.turn);
    outcome = event.outcome;
    text = event.text ?? text;
    // The stream was cut: the agent itself ended no turn, and what it said before still counts.
    if (outcome === 'unknown') return;
    turns += 1;
    error = event.error;
    structuredOutput = event.structuredOutput ?? structuredOutput;
  }

  return {
    see(event) {
      sessionId = event.sessionId ?? sessionId;
      book.see(event);
      switch (event.type) {
        case 'turn-start':
          turnsOpen.add(event.turn);
          outcome = undefined;
          break;
        case 'turn-end':
          seeTurnEnd(event);
          break;
        case 'rate-limit':
          reached = reachedBy(event);
          break;
        case 'text-end':
          if (event.parent) break;
          if (said?.messageId !== event.messageId) said = { messageId: event.messageId, blocks: [] };
          said.blocks.push(event.text);
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
          approvals.set(event.id, ASKED_ABOUT[event.kind] ?? event.toolName ?? event.title ?? event.kind);
          break;
        case 'approval-resolve':
        case 'approval-withdraw':
          approvals.delete(event.id);
          break;
      }
    },
    facts() {
      const answer = text ?? said?.blocks.join('\n');
      const cost = costOf(book.ledger);
      const usage = usageOf(book.ledger);
      const balance = balanceOf(book.ledger);
      return {
        turns,
        ...(answer !== undefined && { text: answer }),
        ...(error && { error: factsOf(error) }),
        ...(cost && { cost }),
        ...(usage && { usage }),
        ...(balance && { balance }),
        ...(structuredOutput !== undefined && { structuredOutput }),
        ...(sessionId !== undefined && { sessionId }),
      };
    },
    open: () => ({ tools: [...tools.keys()], tasks: [...tasks], approvals: [...approvals.keys()] }),
    outcome: () => outcome,
    reachedLimit: () => reached,
    isTurnOpen: () => turnsOpen.size > 0,
    isAsking: () => approvals.size > 0,
    hasTasks: () => tasks.size > 0,
    doing() {
      const [asked] = approvals.values();
      if (asked) return `waiting for an answer about ${asked}`;
      const tool = [...tools.values()].at(-1);
      if (tool) return `running ${tool.name}${tool.summary && `: ${tool.summary}`}`;
      if (turnsOpen.size > 0) return 'waiting for the model';
      if (tasks.size > 0) return `waiting for ${tasks.size} background task${tasks.size > 1 ? 's' : ''}`;
      return turns > 0 ? 'done with its turn' : 'starting';
    },
    spentUsd: () => costOf(book.ledger)?.usd,
    spentTokens: () => tokensSpent(usageOf(book.ledger)),
  };
}

/** What is asked about where it is no call. */
const ASKED_ABOUT: Partial<Record<EventOf<'approval-request'>['kind'], string>> = {
  question: 'its questions',
  plan: 'its plan',
};

function factsOf({ category, message, hint, httpStatus }: ErrorFacts): ErrorFacts {
  return { category, message, ...(hint !== undefined && { hint }), ...(httpStatus !== undefined && { httpStatus }) };
}

function reachedBy({ state, resetsAt, window }: EventOf<'rate-limit'>): ReachedLimit | undefined {
  if (state !== 'rejected' || resetsAt === undefined) return undefined;
  return { until: resetsAt, ...(window !== undefined && { window }) };
}
