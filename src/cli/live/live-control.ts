/**
 * What keys do while something lives on the screen: they answer what is asked, write what is said to the agent, and interrupt it. Ctrl-C asks
 * once and then ends, Ctrl-Z gives the terminal back.
 */
import type { ReadStream } from 'node:tty';
import type { AgentEvent } from '../../event/index.js';
import type { Key } from '../../view/terminal/key.js';
import type { Edited } from '../ask/edit-input.js';
import type { Person } from '../ask/person.js';
import { createKeyInput } from './key-input.js';
import { createLiveInput } from './live-input.js';
import { createLiveQuestions } from './live-questions.js';

/** What keys do besides. */
export interface KeyUse {
  /** Says a line; gives back what to tell the person, or undefined when it was said. */
  say?(text: string): string | undefined;
  /** What is said now waits for the end of what the agent does. */
  canWait?(): boolean;
  /** A turn has ended, and nothing is left to be said. */
  allSaid?(): void;
  /** Esc. */
  interrupt?(): void;
  /** Ctrl-C, for the second time; without it the first one is a signal. */
  end?(): void;
  /** Ctrl-T: the session goes on in the agent's own program. */
  handOver?(): string | undefined;
  /** What was said before, the oldest first. */
  history?: readonly string[];
  /** Files that an `@` can name. */
  files?(): Promise<readonly string[]>;
}

export interface LiveControl extends Disposable {
  attach(): void;
  /** The keyboard is somebody else's; what was typed stays. */
  detach(): void;
  /** Whoever sits here, asked beside what is drawn. */
  person: Person;
  see(event: AgentEvent): void;
  /** What stands above the status, and what below it. */
  rows(look: ControlLook): { above: string[]; below: string[] };
  hint(): string | undefined;
  /** What was typed and never said. */
  unsaid(): string[];
}

export interface ControlLook {
  width: number;
  /** Rows for all of it. */
  height: number;
  color: boolean;
}

export interface LiveControlOptions {
  input: ReadStream;
  use: KeyUse;
  write(text: string): unknown;
  onChange(): void;
  suspend(): void;
  edit(input: unknown): Promise<Edited>;
}

export function createLiveControl(process: NodeJS.Process, options: LiveControlOptions): LiveControl {
  const { input, use, write, onChange, suspend, edit } = options;
  let isEndAsked = false;
  const line = createLiveInput({
    say: (text) => use.say?.(text),
    canWait: () => use.canWait?.() ?? false,
    history: use.history ?? [],
    files: use.files ?? (async () => []),
    onChange,
  });
  const questions = createLiveQuestions({
    edit,
    handOver,
    onChange,
  });
  const keys = createKeyInput(process, {
    input,
    write,
    press(all) {
      for (const key of all) press(key);
      onChange();
    },
  });

  function press(key: Key): void {
    if (key.name === 'ctrl-c') {
      endOrAsk();
      return;
    }
    isEndAsked = false;
    if (key.name === 'ctrl-z' && process.platform !== 'win32') suspend();
    else if (key.name === 'ctrl-\\') process.kill(process.pid, 'SIGQUIT');
    else if (questions.press(key, line.isEmpty())) return;
    else if (key.name === 'escape') use.interrupt?.();
    else if (key.name === 'ctrl-t') handOver();
    else if (key.name === 'tab' && line.isEmpty() && questions.bringBack()) return;
    else if (use.say) line.press(key);
  }

  function endOrAsk(): void {
    if (!use.end) process.emit('SIGINT', 'SIGINT');
    else if (isEndAsked) {
      use.end();
      line.remark('Ending it; Ctrl-C again does not wait for that.');
    } else line.remark(`Ctrl-C again ends it${use.interrupt ? '; Esc only interrupts' : ''}.`);
    isEndAsked = true;
  }

  function handOver(): void {
    const refusal = use.handOver ? use.handOver() : 'This cannot be handed over.';
    if (refusal !== undefined) line.remark(refusal);
  }

  function see(event: AgentEvent): void {
    if (event.type !== 'tool-end' && event.type !== 'turn-end') return;
    const hasSaid = line.sayAll();
    if (event.type === 'turn-end' && !hasSaid) use.allSaid?.();
  }

  function hint(): string | undefined {
    const aside = questions.aside();
    if (!questions.isAsking() && aside > 0)
      return `Tab: ${aside === 1 ? 'a question waits' : `${aside} questions wait`}`;
    return [use.interrupt && 'Esc interrupts', use.say && 'type to add'].filter(Boolean).join(' · ') || undefined;
  }

  return {
    attach: keys.attach,
    detach: keys.detach,
    person: questions.person,
    see,
    rows({ width, height, color }) {
      const below = line.rows({ width, color });
      const look = { width, height: Math.max(LEAST_BOX, height - below.length), color, isLineEmpty: line.isEmpty() };
      return { above: questions.rows(look), below };
    },
    hint,
    unsaid: line.unsaid,
    [Symbol.dispose]: keys[Symbol.dispose],
  };
}

/** Less would hide what is asked. */
const LEAST_BOX = 8;
