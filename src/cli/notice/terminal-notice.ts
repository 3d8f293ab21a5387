/**
 * Notices by the terminal: its title, a notification (OSC 9), the bell. Nothing where nobody looks, and no sequence that the terminal would print.
 * Whatever ends the process, the title is what it was.
 */

export interface TerminalNotice extends Disposable {
  title(words: string): void;
  /** Also with a notification and the bell. */
  call(words: string): void;
}

/** `\u001b\\` and not the bell ends a sequence: who does not know it would ring. */
const osc = (code: number, text: string): string => `\u001b]${code};${text}\u001b\\`;
const BELL = '\u0007';
/** The title on its stack, and from there. Emptied before, for terminals that have no stack and go back to their own. */
const PUSH = '\u001b[22;2t';
const POP = `${osc(2, '')}\u001b[23;2t`;

/** Those that take sequences for what they are; the console of Linux prints them. */
const KNOWN =
  /^(xterm|screen|tmux|rxvt|alacritty|foot|kitty|wezterm|ghostty|vte|konsole|st-|st$|iterm|contour|mintty|ms-terminal)/;

export function createTerminalNotice(process: NodeJS.Process): TerminalNotice {
  const { stdout, stderr, env } = process;
  const terminal = stderr.isTTY ? stderr : stdout.isTTY ? stdout : undefined;
  const isKnown = KNOWN.test(env.TERM ?? '') || env.WT_SESSION !== undefined;
  let isPushed = false;

  /** A terminal that is gone is nobody who could be told. */
  function write(text: string): void {
    try {
      terminal?.write(text);
    } catch {}
  }

  function title(words: string): void {
    if (!isKnown || !terminal) return;
    write(`${isPushed ? '' : PUSH}${osc(2, `glassbox: ${words}`)}`);
    if (!isPushed) process.on('exit', restore);
    isPushed = true;
  }

  function restore(): void {
    if (!isPushed) return;
    isPushed = false;
    write(POP);
    process.off('exit', restore);
  }

  return {
    title,
    call(words) {
      title(words);
      write(`${isKnown ? osc(9, `glassbox: ${words}`) : ''}${env.TERM === 'dumb' ? '' : BELL}`);
    },
    [Symbol.dispose]: restore,
  };
}
