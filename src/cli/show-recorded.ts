/** Files and kept sessions → lines, one after the other; one that cannot be shown does not stop the others. */
import { existsSync } from 'node:fs';
import { GlassboxError } from '../event/index.js';
import { openStore, type SessionRecord, type Store } from '../store/index.js';
import { safe } from '../view/text/index.js';
import type { ShowFlags } from './command/show.js';
import type { Context } from './context.js';
import { type ExitStatus, statusOfError } from './exit-status.js';
import { failureText } from './failure.js';
import { createInterrupt, type Interrupt } from './interrupt.js';
import { note } from './note.js';
import { createPrinter } from './printer.js';
import { createProgressLine } from './progress-line.js';
import { openRecording, unrecognised } from './recording-file.js';
import { showStream } from './show-stream.js';
import { createSink, type Sink } from './sink.js';
import { createStreamReader } from './stream-reader.js';

export async function showRecorded(this: Context, flags: ShowFlags, ...words: string[]): Promise<void> {
  const { stdout, stderr } = this.process;
  const sink = createSink(stdout);
  let status: ExitStatus = 0;
  let store: Promise<Store> | undefined;
  using interrupt = createInterrupt(this.process);
  const way: Way = { flags, sink, interrupt, process: this.process };
  for (const [index, word] of words.entries()) {
    if (sink.closed.aborted || interrupt.signal.aborted) break;
    if (words.length > 1 && !flags.json) await sink.write(`${index > 0 ? '\n' : ''}==> ${safe(word)} <==\n`);
    try {
      if (isFile(word)) await showFile(word, way);
      else {
        store ??= openStore(flags.store);
        await showSession(await sessionNamed(word, await store), await store, way);
      }
    } catch (error) {
      stderr.write(`${failureText(error)}\n`);
      status = statusOfError(error);
    }
  }
  await (await store?.catch(() => undefined))?.close();
  this.process.exitCode = interrupt.status() ?? status;
}

interface Way {
  flags: ShowFlags;
  sink: Sink;
  interrupt: Interrupt;
  process: NodeJS.Process;
}

/** What is there is a file; what is not there is one too, if no session could be called so. */
function isFile(word: string): boolean {
  return existsSync(word) || !/^\w[\w-]{2,}$/.test(word);
}

async function sessionNamed(word: string, store: Store): Promise<SessionRecord> {
  const session = await store.session(word);
  if (session) return session;
  throw new GlassboxError(
    'not-found',
    `There is neither a file nor a session ${word}. glassbox sessions lists the sessions.`,
  );
}

async function showFile(path: string, { flags, sink, interrupt, process }: Way): Promise<void> {
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
    onShown: (_, total) => progress.update(total),
  });
  if (!reader.isRecognised() && !interrupt.signal.aborted && !sink.closed.aborted) throw unrecognised(file);
}

/** Each run as it was printed when it happened: costs and calls begin anew with it. */
async function showSession(session: SessionRecord, store: Store, way: Way): Promise<void> {
  const { flags, sink, interrupt, process } = way;
  for (const { runId } of session.runs) {
    const printer = createPrinter(flags, process, sink);
    for await (const event of store.read(runId)) {
      if (interrupt.signal.aborted || sink.closed.aborted) return;
      await printer.print([event]);
    }
    await printer.end();
  }
  if (session.state !== 'ended') note(process.stderr, `${session.id} is still running; this is what there is so far.`);
}
