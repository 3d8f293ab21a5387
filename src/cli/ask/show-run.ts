/** Shows a run and lets the person at the terminal answer it. While a question is open nothing is printed over it. */
import { type AgentEvent, type Answer, type Completion, GlassboxError } from '../../event/index.js';
import type { ApprovalRequest, RunHandle } from '../../run/index.js';
import { note } from '../print/note.js';
import type { Printer } from '../print/printer.js';
import { TERMINAL_DECIDER } from '../terminal-decider.js';
import type { Person } from './person.js';

export interface ShownRun {
  completion: Completion;
  /** Requests that were denied because nobody could be asked. */
  unasked: number;
}

/** A run as far as somebody at a terminal has to do with it, wherever it goes on. */
export interface AnsweredRun {
  events: AsyncIterable<AgentEvent>;
  canEdit: boolean;
  /** Throws a `GlassboxError` when the answer makes no sense. */
  decide(id: string, answer: Answer): unknown;
  isOpen(id: string): boolean;
  cancel(why: string): void;
}

export async function showRun(handle: RunHandle, printer: Printer, nearby?: Person): Promise<ShownRun> {
  const unasked = await showAnswered(
    {
      events: handle.events,
      canEdit: handle.capabilities.editInput !== false,
      decide: (id, answer) => handle.decide(id, answer, TERMINAL_DECIDER),
      isOpen: (id) => handle.pending().some((open) => open.id === id),
      cancel: (why) => handle.cancel(why),
    },
    printer,
    nearby,
  );
  return { completion: await handle.completion, unasked };
}

/** Gives how often it was denied because nobody could be asked. */
export async function showAnswered(run: AnsweredRun, printer: Printer, nearby?: Person): Promise<number> {
  const person = nearby && (printer.person ?? nearby);
  let unasked = 0;
  const questions: ApprovalRequest[] = [];
  const held: AgentEvent[] = [];
  let asking: Promise<void> | undefined;

  /** An answer that makes no sense is told, and asked for again. */
  async function ask(nearest: Person, request: ApprovalRequest): Promise<void> {
    const answer = await nearest.ask(request, { canEdit: run.canEdit });
    if (answer === undefined || answer === 'later') return;
    try {
      await run.decide(request.id, answer);
    } catch (error) {
      if (!(error instanceof GlassboxError)) throw error;
      note(printer.remarks, error.message);
      await ask(nearest, request);
    }
  }

  async function askAll(nearest: Person): Promise<void> {
    printer.hold();
    for (let next = questions.shift(); next; next = questions.shift()) {
      const { id } = next;
      // A rule may have answered it in the meantime.
      if (!run.isOpen(id)) continue;
      await ask(nearest, next);
    }
    asking = undefined;
    printer.release();
    await printer.print(held.splice(0));
  }

  // When nobody reads the output any more, its work would go on unseen.
  const stop = () => run.cancel('nobody reads the output any more');
  printer.closed.addEventListener('abort', stop);
  try {
    for await (const event of run.events) {
      if (event.type === 'approval-resolve' && event.by === 'nobody') unasked += 1;
      if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') person?.withdraw(event.id);
      if (asking) held.push(event);
      else await printer.print([event]);
      if (event.type !== 'approval-request' || !person) continue;
      if (person.isBeside) void ask(person, event);
      else {
        questions.push(event);
        asking ??= askAll(person);
      }
    }
    await asking;
  } finally {
    printer.closed.removeEventListener('abort', stop);
    await printer.end();
  }
  return unasked;
}
