/** Between two runs of a session: a line in which somebody types what the agent shall do next, with the keys of the live view. */
import { styled } from '../../view/terminal/styled.js';
import { cutToWidth } from '../../view/text/cut-to-width.js';
import type { AskingTerminal } from '../ask/asking-terminal.js';
import { createKeyInput } from './key-input.js';
import { createLiveInput } from './live-input.js';
import { createLiveScreen } from './live-screen.js';

export interface AskNextOptions {
  terminal: AskingTerminal;
  color: boolean;
  /** What stands above the line. */
  about: string;
  /** What was typed before and not said. */
  begun: string;
  history: readonly string[];
  typed?: ((text: string) => void) | undefined;
  files(): Promise<readonly string[]>;
}

/** `say`: go on with this; `open`: in its own program again, and what was typed meanwhile; undefined: it is left. */
export type Next = { say: string } | { open: true; begun: string } | undefined;

export async function askNext(process: NodeJS.Process, options: AskNextOptions): Promise<Next> {
  const { terminal, color, about, begun, history, typed, files } = options;
  const { input, output } = terminal;
  const write = (text: string) => output.write(text);
  using screen = createLiveScreen(process, write, output);
  let resolve: (next: Next) => void = () => {};
  const decided = new Promise<Next>((settle) => {
    resolve = settle;
  });
  const line = createLiveInput({
    begun,
    say(text) {
      resolve({ say: text });
      return undefined;
    },
    canWait: () => false,
    history,
    typed,
    files,
    onChange: draw,
  });
  using keys = createKeyInput(process, {
    input,
    write,
    press(all) {
      for (const key of all) {
        if (key.name === 'ctrl-c' || (key.name === 'ctrl-d' && line.isEmpty())) resolve(undefined);
        else if (key.name === 'ctrl-t') resolve({ open: true, begun: line.unsaid().join('\n') });
        else line.press(key);
      }
      draw();
    },
  });
  const leave = () => {
    process.exitCode = 143;
    resolve(undefined);
  };

  function draw(): void {
    const width = output.columns || 80;
    const hint = styled(cutToWidth(` ○ ${about} · ${KEYS}`, width), ['dim'], color);
    screen.paint({ settled: [], open: [hint, ...line.rows({ width, color, isLasting: true })] });
  }

  output.on('resize', draw);
  for (const name of ENDING) process.on(name, leave);
  keys.attach();
  draw();
  try {
    return await decided;
  } finally {
    output.off('resize', draw);
    for (const name of ENDING) process.off(name, leave);
  }
}

const ENDING = ['SIGTERM', 'SIGHUP'] as const;
const KEYS = 'Enter goes on · Ctrl-T opens it again · Ctrl-D leaves';
