/**
 * What keys do while something lives on the screen: they answer what is asked, write what is said to the agent, and interrupt it. Ctrl-C asks
 * once and then ends, Ctrl-Z gives the terminal back.
 */
import type { ReadStream } from 'node:tty';
import type { AgentEvent, EventOf } from '../../event/index.js';
import type { KeyHint } from '../../view/terminal/index.js';
import type { Key } from '../../view/terminal/key.js';
import { MEASURE } from '../../view/terminal/styled.js';
import type { Edited } from '../ask/edit-input.js';
import type { Person } from '../ask/person.js';
import { createKeyInput } from './key-input.js';
import { liveHelpRows } from './live-help.js';
import { createLiveInput } from './live-input.js';
import { createLiveQuestions } from './live-questions.js';

/** What keys do besides. */
export interface KeyUse {
  /** Says a line; gives back what to tell the person, or undefined when it was said. */
  say?(text: string): string | undefined;
  /** What is said now waits for the end of what the agent does. */
  canWait?(): boolean;
  /** A turn has ended, and nothing is left to be said; `isTyping`: but somebody is about to say something. */
  allSaid?(end: EventOf<'turn-end'>, isTyping: boolean): void;
  /** It has nothing to do, and waits for what is said next. */
  isResting?(): boolean;
  /** Nothing more will be said to what rests. */
  leave?(): void;
  /** Esc. */
  interrupt?(): void;
  /** Ctrl-C, for the second time; without it the first one is a signal. */
  end?(): void;
  /** Ctrl-T, twice: the session goes on in the agent's own program. */
  ownProgram?: OwnProgramUse | undefined;
  see?(event: AgentEvent): void;
  /** Somebody has to do with what is asked. */
  answering?(): void;
  /** What was said before, the oldest first. */
  history?: readonly string[];
  /** Something was typed and said, or waits to be. */
  typed?(text: string): void;
  /** Files that an `@` can name. */
  files?(): Promise<readonly string[]>;
}

export interface OwnProgramUse {
  /** For people. */
  title: string;
  /** Why it cannot be handed over now; undefined when it can. */
  refusal(): string | undefined;
  handOver(): void;
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
  hint(): KeyHint;
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
  /** What waits for being pressed once more. */
  let asked: 'end' | 'hand-over' | undefined;
  /** What the key that is pressed was asked for. */
  let confirmed: typeof asked;
  let isLeaving = false;
  let hasHelp = false;
  const line = createLiveInput({
    say: (text) => use.say?.(text),
    canWait: () => use.canWait?.() ?? false,
    history: use.history ?? [],
    typed: use.typed,
    files: use.files ?? (async () => []),
    onChange,
  });
  const questions = createLiveQuestions({
    edit,
    handOver: use.ownProgram && handOver,
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
    confirmed = asked;
    asked = undefined;
    const hadHelp = hasHelp;
    hasHelp = false;
    const isResting = use.isResting?.() ?? false;
    if (isResting && (key.name === 'ctrl-c' || (key.name === 'ctrl-d' && line.isEmpty()))) use.leave?.();
    else if (key.name === 'ctrl-c') endOrAsk();
    else if (key.name === 'ctrl-t') handOver();
    else if (key.name === 'ctrl-z' && process.platform !== 'win32') suspend();
    else if (key.name === 'ctrl-\\') process.kill(process.pid, 'SIGQUIT');
    else if (questions.press(key, line.isEmpty())) use.answering?.();
    else if (key.name === 'escape') isResting || use.interrupt?.();
    else if (key.name === 'tab' && line.isEmpty() && questions.bringBack()) return;
    else if (key.text === '?' && line.isEmpty()) hasHelp = !hadHelp;
    else if (use.say) line.press(key);
  }

  function endOrAsk(): void {
    if (!use.end) process.emit('SIGINT', 'SIGINT');
    else if (confirmed === 'end') {
      use.end();
      line.remark('Ending it; Ctrl-C again does not wait for that.');
    } else line.remark(`Ctrl-C again ends it${use.interrupt ? '; Esc only interrupts' : ''}.`);
    asked = 'end';
  }

  /** What it does now would be interrupted, so it is asked once. */
  function handOver(): void {
    const { ownProgram } = use;
    const refusal = ownProgram ? ownProgram.refusal() : 'This cannot be handed over.';
    if (refusal !== undefined || !ownProgram) line.remark(refusal ?? '');
    else if (confirmed === 'hand-over') {
      isLeaving = true;
      line.remark(`Ending it here; ${ownProgram.title} opens in a moment.`);
      ownProgram.handOver();
    } else {
      line.remark(`Once more interrupts it and opens it in ${ownProgram.title}; it comes back here afterwards.`);
      asked = 'hand-over';
    }
  }

  function see(event: AgentEvent): void {
    use.see?.(event);
    // What waits to be said is for who goes on with it.
    if (isLeaving || (event.type !== 'tool-end' && event.type !== 'turn-end')) return;
    const hasSaid = line.sayAll();
    if (event.type === 'turn-end' && !hasSaid) use.allSaid?.(event, !line.isEmpty());
  }

  function hint(): KeyHint {
    const aside = questions.aside();
    if (!questions.isAsking() && aside > 0)
      return { words: `Tab: ${aside === 1 ? 'a question waits' : `${aside} questions wait`}`, isNeeded: true };
    if (use.isResting?.())
      return {
        words: `${line.isEmpty() ? 'type what next' : 'Enter says it'} · ${LEAVES}`,
        short: LEAVES,
        isNeeded: true,
      };
    const words = [use.interrupt && 'Esc interrupts', use.say && 'type to add', HELP].filter(Boolean).join(' · ');
    return { words, short: HELP };
  }

  return {
    attach: keys.attach,
    detach: keys.detach,
    person: questions.person,
    see,
    rows({ width, height, color }) {
      const below = [
        ...(hasHelp ? liveHelpRows(use, { width, color }) : []),
        ...line.rows({ width, color, isLasting: use.isResting?.() ?? false }),
      ];
      const look = {
        width: Math.min(width, MEASURE),
        height: Math.max(LEAST_BOX, height - below.length),
        color,
        isLineEmpty: line.isEmpty(),
      };
      return { above: questions.rows(look), below };
    },
    hint,
    unsaid: line.unsaid,
    [Symbol.dispose]: keys[Symbol.dispose],
  };
}

const HELP = '? keys';
const LEAVES = 'Ctrl-C leaves';
/** Less would hide what is asked. */
const LEAST_BOX = 8;
