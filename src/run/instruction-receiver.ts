/** Instructions that come to a run from anywhere, each with what became of it: the words of the channel in those of the handle. */
import { type Answer, type Decider, GlassboxError, type Instruction, type Reception } from '../event/index.js';
import { bindAttachments, keptFiles } from './attachment/kept-attachments.js';
import { insideRefusal } from './process/inside-run.js';

export interface InstructionTarget {
  runId: string;
  /** Of the agent, for people. */
  title: string;
  decide(id: string, answer: Answer, from: Decider): boolean;
  say(text: string, options: { attachments: readonly string[] }): void;
  /** False when there is nothing to stop. */
  interrupt(why: string): boolean;
  cancel(why: string): void;
  /** It ends, or has ended. */
  isEnding(): boolean;
  warn(code: string, message: string): void;
}

export interface InstructionReceiver {
  /** Throws when somebody inside a run tries to act for the person, and tells it. */
  admit(from: Decider, what: Instruction['type'], tried?: string): void;
  /** Never throws: who told it may be far away. */
  receive(instruction: Instruction, from: Decider): Reception;
  turnEnded(): void;
}

const MOST_ATTEMPTS = 10;
const VERBS: Record<Instruction['type'], string> = {
  answer: 'answer',
  say: 'speak to',
  interrupt: 'interrupt',
  stop: 'stop',
  attempt: 'act for you on',
};
const MOST_WORDS = 80;

export function createInstructionReceiver(run: InstructionTarget): InstructionReceiver {
  let attempts = 0;
  let isInterrupted = false;

  return {
    admit,
    receive(instruction, from) {
      try {
        return { outcome: take(instruction, from) ? 'done' : 'late' };
      } catch (error) {
        if (error instanceof GlassboxError) return { outcome: 'refused', code: error.code, reason: error.message };
        return { outcome: 'refused', code: 'invalid-request', reason: String(error) };
      }
    },
    turnEnded() {
      isInterrupted = false;
    },
  };

  function admit({ inside }: Decider, what: Instruction['type'], tried = `${VERBS[what]} this run`): void {
    if (inside === undefined) return;
    attempts += 1;
    // Not without end: it may try again and again.
    if (attempts <= MOST_ATTEMPTS) {
      const [code, deed] = what === 'answer' ? ['answer-from-inside', 'answer for you'] : ['act-from-inside', tried];
      run.warn(code, `Something that ${run.title} started tried to ${deed}. It was refused.`);
    }
    throw insideRefusal(`${VERBS[what]} an agent`);
  }

  function sayWith({ text, attachments: ids = [] }: Extract<Instruction, { type: 'say' }>): void {
    run.say(text, { attachments: keptFiles(ids) });
    bindAttachments(ids, run.runId);
  }

  function take(instruction: Instruction, from: Decider): boolean {
    if (instruction.type === 'answer') return run.decide(instruction.approval, instruction.answer, from);
    // What it says of itself is short: whoever is inside may say anything.
    admit(
      from,
      instruction.type,
      instruction.type === 'attempt' ? String(instruction.what).slice(0, MOST_WORDS) : undefined,
    );
    switch (instruction.type) {
      case 'say':
        sayWith(instruction);
        return true;
      case 'interrupt':
        // Of two who interrupt the same turn the second changes nothing.
        if (isInterrupted || run.isEnding()) return false;
        isInterrupted = run.interrupt(instruction.why ?? whyFrom('interrupted', from));
        return isInterrupted;
      case 'stop':
        if (run.isEnding()) return false;
        run.cancel(instruction.why ?? whyFrom('ended', from));
        return true;
      case 'attempt':
        throw new GlassboxError('invalid-request', 'Only what is inside a run has its attempts told.');
      default:
        instruction satisfies never;
        // A newer glassbox may tell what this one does not know.
        throw new GlassboxError('invalid-request', 'This run does not know such an instruction. Update glassbox.');
    }
  }
}

/** Only what a person did is told as the user's. */
function whyFrom(what: string, { by, rule }: Decider): string {
  if (by === 'person') return `${what} by the user`;
  return rule === undefined ? `${what} from outside` : `${what}, because ${rule}`;
}
