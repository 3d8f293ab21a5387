/** Where a person can be asked: the terminal of the standard streams, or the one that the process belongs to when a pipe brings the prompt. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';

export interface AskingTerminal extends Disposable {
  input: ReadStream;
  output: WriteStream;
  /** For programs that take over the terminal, as an editor. */
  descriptors: { input: number; output: number };
}

/** Nobody is asked who does not see stderr: a program that starts this one and reads it all shall not find a question on its own terminal. */
export function findAskingTerminal({
  stdin,
  stderr,
}: Pick<NodeJS.Process, 'stdin' | 'stderr'>): AskingTerminal | undefined {
  if (!stderr.isTTY) return undefined;
  if (stdin.isTTY) {
    return { input: stdin, output: stderr, descriptors: { input: stdin.fd, output: stderr.fd }, [Symbol.dispose]() {} };
  }
  return isStream(stdin.fd) ? openOwnTerminal() : undefined;
}

/** A pipe or a file; who gives `/dev/null` says that nobody is there. */
function isStream(descriptor: number): boolean {
  try {
    return !fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

function openOwnTerminal(): AskingTerminal | undefined {
  const opened: number[] = [];
  try {
    const [input, output] = [openSync('/dev/tty', 'r'), openSync('/dev/tty', 'w')];
    opened.push(input, output);
    const streams = { input: new ReadStream(input), output: new WriteStream(output) };
    return {
      ...streams,
      descriptors: { input, output },
      [Symbol.dispose]() {
        streams.input.destroy();
        streams.output.destroy();
      },
    };
  } catch {
    for (const descriptor of opened) closeSync(descriptor);
    return undefined;
  }
}
