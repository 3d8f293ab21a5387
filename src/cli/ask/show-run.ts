/** Shows a run and lets the person at the terminal answer it. While a question is open nothing is printed over it. */
import type { AgentEvent, Completion } from '../../event/index.js';
import type { ApprovalRequest, RunHandle } from '../../run/index.js';
import type { Printer } from '../print/printer.js';
import { TERMINAL_DECIDER } from '../terminal-decider.js';
import type { Person } from './person.js';

export interface ShownRun {
  completion: Completion;
  /** Requests that were denied because nobody could be asked. */
  unasked: number;
}

export async function showRun(handle: RunHandle, printer: Printer, person?: Person): Promise<ShownRun> {
  let unasked = 0;
  const questions: ApprovalRequest[] = [];
  const held: AgentEvent[] = [];
  let asking: Promise<void> | undefined;

  async function askAll(nearest: Person): Promise<void> {
    printer.hold();
    for (let next = questions.shift(); next; next = questions.shift()) {
      const { id } = next;
      // A rule may have answered it in the meantime.
      if (!handle.pending().some((open) => open.id === id)) continue;
      const answer = await nearest.ask(next, { canEdit: handle.capabilities.editInput !== false });
      if (answer !== undefined && answer !== 'later') handle.decide(id, answer, TERMINAL_DECIDER);
    }
    asking = undefined;
    printer.release();
    await printer.print(held.splice(0));
  }

  // When nobody reads the output any more, its work would go on unseen.
  const stop = () => handle.cancel('nobody reads the output any more');
  printer.closed.addEventListener('abort', stop);
  try {
    for await (const event of handle.events) {
      if (event.type === 'approval-resolve' && event.by === 'nobody') unasked += 1;
      if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') person?.withdraw(event.id);
      if (asking) held.push(event);
      else await printer.print([event]);
      if (event.type === 'approval-request' && person) {
        questions.push(event);
        asking ??= askAll(person);
      }
    }
    await asking;
  } finally {
    printer.closed.removeEventListener('abort', stop);
    await printer.end();
  }
  return { completion: await handle.completion, unasked };
}
