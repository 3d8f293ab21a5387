/** Files → lines, one after the other; one that cannot be read does not stop the others. */
import { safe } from '../view/text/index.js';
import type { AgentFlag } from './agent-flag.js';
import type { Context } from './context.js';
import { type ExitStatus, statusOfError } from './exit-status.js';
import { failureText } from './failure.js';
import { createInterrupt, type Interrupt } from './interrupt.js';
import { createPrinter } from './printer.js';
import { createProgressLine } from './progress-line.js';
import { openRecording, unrecognised } from './recording-file.js';
import { showStream } from './show-stream.js';
import { createSink, type Sink } from './sink.js';
import { createStreamReader } from './stream-reader.js';
import type { ViewFlags } from './view-flag.js';

type Flags = ViewFlags & AgentFlag;

export async function showFiles(this: Context, flags: Flags, ...paths: string[]): Promise<void> {
  const { stdout, stderr } = this.process;
  const sink = createSink(stdout);
  let status: ExitStatus = 0;
  using interrupt = createInterrupt(this.process);
  for (const [index, path] of paths.entries()) {
    if (sink.closed.aborted || interrupt.signal.aborted) break;
    if (paths.length > 1 && !flags.json) await sink.write(`${index > 0 ? '\n' : ''}==> ${safe(path)} <==\n`);
    try {
      await showFile(path, { flags, sink, interrupt, process: this.process });
    } catch (error) {
      stderr.write(`${failureText(error)}\n`);
      status = statusOfError(error);
    }
  }
  this.process.exitCode = interrupt.status() ?? status;
}

interface ShowFile {
  flags: Flags;
  sink: Sink;
  interrupt: Interrupt;
  process: NodeJS.Process;
}

async function showFile(path: string, { flags, sink, interrupt, process }: ShowFile): Promise<void> {
  const reader = createStreamReader(flags.agent);
  const file = await openRecording(path);
  const printer = createPrinter(flags, process, sink);
  // What nobody recognises in a file is a mistake in its name more often than something to be read.
  const silent = { ...printer, raw: () => undefined };
  using progress = createProgressLine(file, process);
  await showStream({
    source: file.read(),
    reader,
    printer: silent,
    signal: interrupt.signal,
    onProgress: progress.update,
  });
  if (!reader.isRecognised() && !interrupt.signal.aborted && !sink.closed.aborted) throw unrecognised(file);
}
