/** A recording → lines, with the pauses it had. */
import { createInterrupt } from '../../interrupt.js';
import { openPrinter } from '../../live/open-printer.js';
import { openRecording, unrecognised } from '../../stream/recording-file.js';
import { showStream } from '../../stream/show-stream.js';
import { createStreamReader } from '../../stream/stream-reader.js';
import { timedLines } from '../../stream/timed-lines.js';
import type { ReplayFlags } from './command.js';
import { lineTimesOf } from './line-time.js';

export async function replayFile(path: string, flags: ReplayFlags, process: NodeJS.Process): Promise<void> {
  const reader = createStreamReader(flags.agent);
  const file = await openRecording(path);
  const printer = openPrinter(flags, process);
  using interrupt = createInterrupt(process);
  const { signal } = interrupt;
  const source = timedLines(file.read(), { timeOf: await lineTimesOf(path), speed: flags.speed, signal });

  await showStream({ source, reader, printer: { ...printer, raw: () => undefined }, signal });

  if (!reader.isRecognised() && !signal.aborted && !printer.closed.aborted) throw unrecognised(file, reader.advice());
  process.exitCode = interrupt.status() ?? 0;
}
