/** The end of the terminal that is drawn again and again. Whatever ends the process, it leaves the cursor where people expect it, and no mode behind. */
import { type Frame, paintFrame, type Shown } from './paint-frame.js';

export interface LiveScreen extends Disposable {
  paint(frame: Frame): void;
  /** Takes the open rows away, so that somebody else can write there; the next frame brings them back. */
  clear(): void;
}

export function createLiveScreen(
  process: NodeJS.Process,
  write: (text: string) => unknown,
  terminal: Pick<NodeJS.WriteStream, 'on' | 'off' | 'columns'> = process.stdout,
): LiveScreen {
  const { env } = process;
  let shown: Shown = { rows: [] };
  const paint = (frame: Frame) => {
    const bytes = paintFrame(shown, frame);
    shown = { rows: frame.open };
    if (bytes !== '') write(bytes);
  };
  const clear = () => paint({ settled: [], open: [] });
  const onResize = () => {
    // The original xterm is the one that cuts rows instead of wrapping them anew.
    shown = { rows: shown.rows, columns: env.XTERM_VERSION ? Number.POSITIVE_INFINITY : terminal.columns };
  };
  terminal.on('resize', onResize);
  process.on('exit', clear);
  return {
    paint,
    clear,
    [Symbol.dispose]() {
      clear();
      terminal.off('resize', onResize);
      process.off('exit', clear);
    },
  };
}
