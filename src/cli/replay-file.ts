/** A recording → lines, with the pauses it had. */
import type { ReplayFlags } from './command/replay.js';
import type { Context } from './context.js';
import { createInterrupt } from './interrupt.js';
import { lineTimesOf } from './line-time.js';
import { pacedLines } from './paced-lines.js';
import { createPrinter } from './printer.js';
import { openRecording, unrecognised } from './recording-file.js';
import { showStream } from './show-stream.js';
import { createStreamReader } from './stream-reader.js';

export async function replayFile(this: Context, flags: ReplayFlags, path: string): Promise<void> {
  const reader = createStreamReader(flags.agent);
  const file = await openRecording(path);
  const printer = createPrinter(flags, this.process);
  using interrupt = createInterrupt(this.process);
  const { signal } = interrupt;
  const source = pacedLines(file.read(), { timeOf: await lineTimesOf(path), speed: flags.speed, signal });

  await showStream({ source, reader, printer: { ...printer, raw: () => undefined }, signal });

  if (!reader.isRecognised() && !signal.aborted && !printer.closed.aborted) throw unrecognised(file);
  this.process.exitCode = interrupt.status() ?? 0;
}
