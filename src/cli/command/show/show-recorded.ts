/** Files and kept sessions → lines, one after the other; one that cannot be shown does not stop the others. */
import { openStore, readListed, readSession, type SessionRecord, type Store } from '../../../store/index.js';
import { safe } from '../../../view/text/index.js';
import type { Context } from '../../context.js';
import { type ExitStatus, statusOfError } from '../../exit-status.js';
import { failureText } from '../../failure.js';
import { createInterrupt, type Interrupt } from '../../interrupt.js';
import { isFile, sessionToShow } from '../../kept/file-or-session.js';
import { byWords } from '../../print/by-words.js';
import { createConversationPrinter } from '../../print/conversation-printer.js';
import { note } from '../../print/note.js';
import { pageRows } from '../../print/page-rows.js';
import { createPrinter, type Printer } from '../../print/printer.js';
import { createProgressLine } from '../../print/progress-line.js';
import { createSink, type Sink } from '../../print/sink.js';
import { openRecording, unrecognised } from '../../stream/recording-file.js';
import { showStream } from '../../stream/show-stream.js';
import { createStreamReader } from '../../stream/stream-reader.js';
import type { ShowFlags } from './command.js';

export async function showRecorded(this: Context, flags: ShowFlags, ...words: string[]): Promise<void> {
  const { process } = this;
  const rows: string[] = [];
  const status = await showAll(words, flags, process, rows);
  if (rows.length > 0) await pageRows(rows, process, flags.pager);
  process.exitCode = status;
}

async function showAll(
  words: readonly string[],
  flags: ShowFlags,
  process: NodeJS.Process,
  rows: string[],
): Promise<ExitStatus> {
  const sink = createSink(process.stdout);
  let status: ExitStatus = 0;
  let store: Promise<Store> | undefined;
  using interrupt = createInterrupt(process);
  const way: Way = { flags, sink, interrupt, process, ...(isConversation(flags, process.stdout) && { rows }) };
  for (const [index, word] of (words.length === 0 ? [undefined] : words).entries()) {
    if (sink.closed.aborted || interrupt.signal.aborted) break;
    if (words.length > 1 && !flags.json) await heading(`==> ${safe(word ?? '')} <==`, index > 0, way);
    try {
      if (word !== undefined && isFile(word)) await showFile(word, way);
      else {
        store ??= openStore(flags.store);
        await showSession(await sessionToShow(word, await store, process.cwd()), await store, way);
      }
    } catch (error) {
      process.stderr.write(`${byWords(failureText(error), process.stderr)}\n`);
      status = statusOfError(error);
    }
  }
  await (await store?.catch(() => undefined))?.close();
  return interrupt.status() ?? status;
}

/** Who asks for what only lines have gets lines. */
function isConversation(
  { format, json, verbose, quiet, progress, text }: ShowFlags,
  stdout: NodeJS.WriteStream,
): boolean {
  if (json || format === 'lines') return false;
  return (
    format === 'conversation' ||
    format === 'plain' ||
    (stdout.isTTY === true && !verbose && !quiet && !progress && text)
  );
}

async function heading(text: string, isNext: boolean, { rows, sink }: Way): Promise<void> {
  if (rows) rows.push(...(isNext ? [''] : []), text, '');
  else await sink.write(`${isNext ? '\n' : ''}${text}\n`);
}

interface Way {
  flags: ShowFlags;
  sink: Sink;
  interrupt: Interrupt;
  process: NodeJS.Process;
  /** Where a conversation is drawn; absent when lines are printed. */
  rows?: string[];
}

async function showFile(path: string, way: Way): Promise<void> {
  const { flags, sink, interrupt, process, rows } = way;
  // How long things took must not be told from how long they are read.
  const opened = Date.now();
  const reader = createStreamReader(flags.agent, rows ? { now: () => opened } : {});
  const file = await openRecording(path);
  const printer = printerFor(way);
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
  if (!reader.isRecognised() && !interrupt.signal.aborted && !sink.closed.aborted)
    throw unrecognised(file, reader.advice());
}

/** As lines each run as it was printed when it happened: costs and calls begin anew with it. As a conversation they are one. */
async function showSession(session: SessionRecord, store: Store, way: Way): Promise<void> {
  const { sink, interrupt, process, rows } = way;
  const parts = rows ? [readSession(store, session.runs)] : session.runs.map(({ runId }) => readListed(store, runId));
  for (const events of parts) {
    const printer = printerFor(way);
    for await (const event of events) {
      if (interrupt.signal.aborted || sink.closed.aborted) return;
      await printer.print([event]);
    }
    await printer.end();
  }
  for (const { refused } of session.runs) if (refused !== undefined) note(process.stderr, safe(refused));
  if (session.state !== 'ended') note(process.stderr, `${session.id} is still running; this is what there is so far.`);
}

function printerFor({ flags, process, sink, rows }: Way): Printer {
  const printer = createPrinter(flags, process, { sink });
  if (!rows) return printer;
  const conversation = createConversationPrinter(flags, process);
  return {
    ...printer,
    print: (events) => void conversation.add(events),
    end: () => void rows.push(...conversation.rows()),
  };
}
