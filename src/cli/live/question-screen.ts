/** One question after the other at the end of a terminal, with nothing else beside it. What became of each is told by who asks. */
import type { AskingTerminal } from '../ask/asking-terminal.js';
import { editInput } from '../ask/edit-input.js';
import type { Person } from '../ask/person.js';
import { createKeyInput } from './key-input.js';
import { createLiveQuestions } from './live-questions.js';
import { createLiveScreen } from './live-screen.js';

export interface QuestionScreenOptions {
  terminal: AskingTerminal;
  color: boolean;
}

/** Rows that are left for what stands above. */
const BESIDES = 3;

export function createQuestionScreen(
  process: NodeJS.Process,
  { terminal, color }: QuestionScreenOptions,
): Person & Disposable {
  const { input, output, descriptors } = terminal;
  const write = (text: string) => output.write(text);
  const screen = createLiveScreen(process, write, output);
  let because: string | undefined;
  let isResting = true;
  const questions = createLiveQuestions({
    isLeft: true,
    async edit(shown) {
      rest();
      try {
        return await editInput(shown, process.env, descriptors);
      } finally {
        wake();
      }
    },
    onChange: draw,
  });
  const keys = createKeyInput(process, {
    input,
    write,
    press(all) {
      for (const key of all) {
        if (key.name === 'ctrl-c') process.emit('SIGINT', 'SIGINT');
        else questions.press(key, true);
      }
      draw();
    },
  });

  function draw(): void {
    if (isResting) return;
    const height = Math.max(8, (output.rows || 24) - BESIDES);
    const open = questions.rows({ width: output.columns || 80, height, color, isLineEmpty: true });
    screen.paint({ settled: [], open });
  }

  function wake(): void {
    isResting = false;
    keys.attach();
    draw();
  }

  function rest(): void {
    isResting = true;
    screen.clear();
    keys.detach();
  }

  output.on('resize', draw);
  return {
    isBeside: false,
    async ask(request, manner) {
      because = undefined;
      wake();
      const answer = await questions.person.ask(request, manner);
      rest();
      if (answer === undefined) write(`${because ?? 'It is no longer asked.'}\n`);
      return answer;
    },
    withdraw(id, why) {
      because = why;
      questions.person.withdraw(id);
    },
    [Symbol.dispose]() {
      rest();
      output.off('resize', draw);
      keys[Symbol.dispose]();
      screen[Symbol.dispose]();
    },
  };
}
