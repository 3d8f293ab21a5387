/** How turns and runs come to an end, what they cost so far, and no failure told twice. */
import type { AgentEvent, EndReason, ErrorFacts, EventOf, TurnOutcome } from '../../event/index.js';
import { costOf, createRunLedgers, type Entry, usageOf } from '../../ledger/index.js';
import { wordOf } from '../../word/index.js';
import { LINE, safeFirstLine, safeLine, sentence } from './safe.js';
import type { Result, Said } from './stream-event.js';

export interface Endings {
  /** To be called with every event, first. */
  see(event: AgentEvent): void;
  /** Counted for the summary at the end. */
  count(what: 'tools' | 'errors'): void;
  /** What the agent said last: a failure may be nothing but that. */
  text(said: string): void;
  error(event: EventOf<'agent-error'>): Said[];
  turn(event: EventOf<'turn-end'>): Said[];
  run(event: EventOf<'run-end'>): Said[];
}

export function createEndings(): Endings {
  const inTurn = { tools: 0, errors: 0 };
  const inAll = { tools: 0, errors: 0 };
  let lastText = '';
  const book = createRunLedgers();
  let entry: Entry | undefined;
  let lastError: string | undefined;
  let lastOutcome: TurnOutcome | undefined;

  function result(
    event: EventOf<'turn-end' | 'run-end'>,
    outcome: TurnOutcome,
    error: string,
    counts: typeof inTurn,
  ): Said {
    return {
      kind: 'Result',
      isComplete: outcome !== 'unknown',
      outcome,
      result: event.text,
      ...(outcome !== 'success' && { error }),
      ...spent(event),
      durationMs: event.durationMs,
      ...counts,
    };
  }

  /** A turn with what the run has cost so far, the end of the run with all of it. */
  function spent(event: EventOf<'turn-end' | 'run-end'>): Partial<Result> {
    const cost = costOf(book.ledger);
    const usage = event.type === 'run-end' ? usageOf(book.ledger) : entry?.usage;
    return {
      ...(cost && { cost: cost.usd, costOrigin: cost.origin }),
      ...(entry?.cost && { costDelta: entry.cost.usd }),
      ...(usage && { usage }),
    };
  }

  return {
    see: (event) => {
      [entry] = book.see(event);
    },
    count: (what) => {
      inTurn[what] += 1;
      inAll[what] += 1;
    },
    text: (said) => {
      lastText = said;
    },
    error: (event) => {
      lastError = safeLine(event.message);
      // Only where the printed line is the whole message.
      const repeats = lastError !== '' && safeFirstLine(lastText, LINE) === lastError;
      return [{ kind: 'Notice', error: true, text: event.message, ...(repeats && { repeats }) }, ...hint(event.hint)];
    },
    turn: (event) => {
      lastOutcome = event.outcome;
      const message = safeLine(event.error?.message);
      const told = message !== '' && message === lastError;
      const why = told ? kindOfError(event.error) : message || wordOf(OUTCOME, event.outcome);
      const ended = result(event, event.outcome, why, { ...inTurn });
      Object.assign(inTurn, { tools: 0, errors: 0 });
      return [ended, ...(told ? [] : hint(event.error?.hint))];
    },
    // A run repeats what its last turn said, unless there was none or glassbox itself ended it.
    run: (event) => {
      const succeeded = event.reason === 'finished';
      if (lastOutcome && lastOutcome !== 'unknown' && (succeeded || event.reason === 'failed')) return [];
      if (lastOutcome === 'interrupted' && event.reason === 'cancelled') return [];
      const why = safeLine(event.error?.message ?? event.detail);
      if (event.reason === 'cancelled') {
        return [result(event, 'interrupted', why, inAll), ...hint(event.error?.hint)];
      }
      const failure = [wordOf(REASON, event.reason), why].filter(Boolean).join(': ');
      return [result(event, succeeded ? 'success' : 'failed', failure, inAll), ...hint(event.error?.hint)];
    },
  };
}

/** For an error whose sentence stands in the line above. */
function kindOfError({ category }: Partial<ErrorFacts> = {}): string {
  return category === undefined || category === 'unknown' ? 'see above' : safeLine(category);
}

const OUTCOME: Record<TurnOutcome, string> = {
  success: '',
  failed: 'the agent gave no reason',
  interrupted: 'interrupted',
  'max-turns': 'the limit of turns was reached',
  'over-budget': 'the budget was used up',
  unknown: 'the stream ended without a result',
};

const REASON: Record<EndReason, string> = {
  finished: '',
  failed: 'the agent failed',
  cancelled: 'cancelled',
  'timed-out': 'timed out',
  stalled: 'nothing happened any more',
  'over-budget': 'the budget was used up',
  'max-turns': 'the limit of turns was reached',
  crashed: 'the agent crashed',
  'spawn-failed': 'the agent could not be started',
};

function hint(text: string | undefined): Said[] {
  return text ? [{ kind: 'Notice', text: sentence`Hint: ${text}` }] : [];
}
