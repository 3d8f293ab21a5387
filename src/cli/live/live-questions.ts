/** The questions that stand at the end of what lives on the screen: one is shown, the others wait behind it or were put aside. */
import type { Answer } from '../../event/index.js';
import type { Key } from '../../view/terminal/key.js';
import {
  beginQuestion,
  pressQuestion,
  type Question,
  type QuestionState,
  questionChangesAt,
  questionOf,
  questionRows,
  sawQuestion,
  tellQuestion,
} from '../../view/terminal/question/index.js';
import type { Edited } from '../ask/edit-input.js';
import type { Person } from '../ask/person.js';

export interface LiveQuestions {
  person: Person;
  /** One is shown. */
  isAsking(): boolean;
  /** So many were put aside, or wait behind the one that is shown. */
  aside(): number;
  /** Shows again what was put aside; false when there is nothing. */
  bringBack(): boolean;
  /** False when the key was not for a question. */
  press(key: Key, isLineEmpty: boolean): boolean;
  /** As it is drawn now, and is taken to be seen. */
  rows(look: QuestionLook): string[];
}

export interface QuestionLook {
  width: number;
  height: number;
  color: boolean;
  isLineEmpty: boolean;
}

export interface LiveQuestionsOptions {
  /** Lets the person change an input, on a terminal that is theirs for that time. */
  edit(input: unknown): Promise<Edited>;
  handOver?: (() => void) | undefined;
  /** What is put aside is left to somebody else, and not shown again. */
  isLeft?: boolean;
  onChange(): void;
  now?: (() => number) | undefined;
}

interface Asked {
  question: Question;
  state: QuestionState;
  isAside: boolean;
  settle(answer: Answer | 'later' | undefined): void;
}

export function createLiveQuestions(options: LiveQuestionsOptions): LiveQuestions {
  const { edit, handOver, isLeft = false, onChange, now = () => performance.now() } = options;
  const all: Asked[] = [];
  let shown: Asked | undefined;
  let timer: NodeJS.Timeout | undefined;
  let look: QuestionLook = { width: 80, height: 24, color: false, isLineEmpty: true };

  const place = () => ({ number: shown ? all.indexOf(shown) + 1 : 0, of: all.length });

  /** A question that is shown again has to be looked at again. */
  function show(next: Asked | undefined): void {
    shown = next;
    if (next) {
      next.isAside = false;
      next.state = { ...next.state, quietSince: undefined, armedSince: undefined };
    }
    onChange();
  }

  const following = () => {
    const from = shown ? all.indexOf(shown) : -1;
    return [...all.slice(from + 1), ...all.slice(0, Math.max(0, from))];
  };

  function remove(asked: Asked): void {
    const next = asked === shown ? following().find(({ isAside }) => !isAside) : shown;
    all.splice(all.indexOf(asked), 1);
    if (asked === shown) show(next);
    else onChange();
  }

  function answer(asked: Asked, given: Answer | 'later'): void {
    remove(asked);
    asked.settle(given);
  }

  function putAside(asked: Asked): void {
    if (isLeft) {
      answer(asked, 'later');
      return;
    }
    asked.isAside = true;
    show(following().find(({ isAside }) => !isAside));
  }

  async function change(asked: Asked): Promise<void> {
    const edited = await edit(asked.question.request.input);
    if (!all.includes(asked)) return;
    if ('changes' in edited) answer(asked, { type: 'approve', changes: edited.changes });
    else {
      asked.state = tellQuestion(asked.state, edited.problem);
      onChange();
    }
  }

  function press(key: Key, isLineEmpty: boolean): boolean {
    const asked = shown;
    if (!asked) return false;
    look = { ...look, isLineEmpty };
    const { state, effect } = pressQuestion(asked.question, asked.state, key, { ...look, ...place(), now: now() });
    asked.state = state;
    switch (effect?.type) {
      case 'answer':
        answer(asked, effect.answer);
        break;
      case 'edit':
        void change(asked);
        break;
      case 'later':
        putAside(asked);
        break;
      case 'next':
        if (all.length > 1) show(following()[0]);
        break;
      case 'hand-over':
        if (!handOver) return false;
        handOver();
        break;
      case 'pass':
        return false;
    }
    return true;
  }

  /** Something about it changes by itself, as that keys count now. */
  function wake(asked: Asked, drawnAt: number): void {
    clearTimeout(timer);
    // By the moment that was drawn: what came true since then is not on the screen.
    const at = questionChangesAt(asked.state, { now: drawnAt, isLineEmpty: look.isLineEmpty });
    if (at !== undefined) timer = setTimeout(onChange, Math.max(1, Math.ceil(at - now()))).unref();
  }

  return {
    person: {
      isBeside: true,
      ask: (request, { canEdit, canLeave = true }) =>
        new Promise((settle) => {
          const question = questionOf(request, {
            agent: request.agent,
            canEdit,
            canLeave,
            canHandOver: handOver !== undefined,
          });
          const asked: Asked = { question, state: beginQuestion(question), isAside: false, settle };
          all.push(asked);
          if (shown) onChange();
          else show(asked);
        }),
      withdraw(id) {
        const asked = all.find(({ question }) => question.request.id === id);
        if (!asked) return;
        remove(asked);
        asked.settle(undefined);
      },
    },
    isAsking: () => shown !== undefined,
    aside: () => all.length - (shown ? 1 : 0),
    bringBack() {
      if (shown || all.length === 0) return false;
      show(all[0]);
      return true;
    },
    press,
    rows(as) {
      look = as;
      const asked = shown;
      if (!asked) return [];
      const moment = { ...look, ...place(), now: now() };
      const rows = questionRows(asked.question, asked.state, moment);
      asked.state = sawQuestion(asked.question, asked.state, moment);
      wake(asked, moment.now);
      return rows;
    },
  };
}
