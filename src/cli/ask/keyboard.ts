/**
 * Lines from the person at the terminal, each typed after its prompt was on the screen. What was typed before is discarded: it was
 * meant for something else, and must not answer a question that nobody had seen.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { AskingTerminal } from './asking-terminal.js';
import { setRawMode } from './raw-mode.js';

export interface Keyboard {
  /** Waits until nothing is typed for a moment; true when something was discarded. */
  settle(signal: AbortSignal): Promise<boolean>;
  /** Undefined when the signal came or the input has ended; then the cursor stands in a new line. */
  line(prompt: string, signal: AbortSignal, options?: { isSecret?: boolean }): Promise<string | undefined>;
}

/** A question that comes up under somebody's fingers is seen only after a moment. */
const QUIET_MS = 400;
const INTERRUPT = '\u0003';

export function createKeyboard(
  { input, output }: Pick<AskingTerminal, 'input' | 'output'>,
  interrupt: () => void,
): Keyboard {
  /** Until nothing came for so long, or for one round of the event loop. */
  function drain(quietMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      let hasDiscarded = false;
      let timer: NodeJS.Timeout | undefined;
      const onData = (data: Buffer | string) => {
        hasDiscarded = true;
        if (String(data).includes(INTERRUPT)) interrupt();
        wait();
      };
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        input.off('data', onData);
        input.pause();
        setRawMode(input, false);
        resolve(hasDiscarded);
      };
      const wait = () => {
        clearTimeout(timer);
        if (quietMs > 0) timer = setTimeout(end, quietMs);
      };
      // Line by line the terminal would keep back the beginning of a line, and it would become part of the answer.
      setRawMode(input, true);
      input.on('data', onData);
      input.resume();
      signal.addEventListener('abort', end);
      wait();
      // The first ends the round that is under way; until the second everything that lies there was read.
      if (quietMs === 0) setImmediate(() => setImmediate(end));
    });
  }

  return {
    settle: (signal) => drain(QUIET_MS, signal),
    async line(prompt, signal, { isSecret = false } = {}) {
      await drain(0, signal);
      if (signal.aborted) return undefined;
      const lines = createInterface({ input, output: isSecret ? nowhere() : output, terminal: true });
      // Not before the terminal has stopped to show what is typed.
      if (isSecret) output.write(prompt);
      let isOnPrompt = true;
      const leavePrompt = () => {
        if (isOnPrompt) output.write('\n');
        isOnPrompt = false;
      };
      // While it reads, the terminal gives Ctrl-C to it and to nobody else.
      lines.on('SIGINT', () => {
        leavePrompt();
        interrupt();
      });
      const ended = new Promise<undefined>((resolve) => {
        lines.once('close', () => resolve(undefined));
        // A terminal that is gone.
        lines.on('error', () => resolve(undefined));
      });
      const answer = await Promise.race([lines.question(isSecret ? '' : prompt, { signal }), ended]).catch(
        () => undefined,
      );
      lines.close();
      if (answer === undefined || isSecret) leavePrompt();
      return answer;
    },
  };
}

/** What is typed here is not shown. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
