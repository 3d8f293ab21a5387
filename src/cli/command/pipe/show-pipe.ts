/** Standard input → lines, and kept. The exit status says how the agent ended. */
import type { AgentEvent } from '../../../event/index.js';
import type { Context } from '../../context.js';
import type { ExitStatus } from '../../exit-status.js';
import { createInterrupt, type Interrupt } from '../../interrupt.js';
import { openPrinter } from '../../live/open-printer.js';
import { note, noteKept, noteStats } from '../../print/note.js';
import type { Printer } from '../../print/printer.js';
import { showStream } from '../../stream/show-stream.js';
import { createStreamReader, type StreamReader } from '../../stream/stream-reader.js';
import type { PipeFlags } from './command.js';
import { createKeptPipe, type KeptPipe } from './kept-pipe.js';

export async function showPipe(this: Context, flags: PipeFlags): Promise<void> {
  const { stdin, stdout, stderr } = this.process;
  const printer = openPrinter(flags, this.process);
  const kept = flags.noStore
    ? undefined
    : createKeptPipe(flags, { stderr: printer.remarks, cwd: () => this.process.cwd() });
  using interrupt = createInterrupt(this.process);
  const reader = interruptible(createStreamReader(flags.agent, kept && { runId: kept.runId }), interrupt);

  const bytes = await showStream({
    source: stdin,
    reader,
    printer: kept ? keeping(printer, kept) : printer,
    signal: interrupt.signal,
    ...(kept && { onShown: kept.read }),
  });
  const session = await kept?.close();

  if (flags.verbose) noteStats(stderr, printer);
  if (session && stdout.isTTY && stderr.isTTY && !flags.quiet) noteKept(stderr, session);
  this.process.exitCode = interrupt.status() ?? ending();

  function ending(): ExitStatus {
    if (printer.closed.aborted) return 0;
    if (bytes === 0) {
      note(stderr, 'nothing came in. Did the agent print an error? Did it get the flags that make it print a stream?');
      return 4;
    }
    if (!reader.isRecognised() && flags.agent !== undefined) {
      const advice = reader.advice() ?? 'Leave --agent out to have it recognised.';
      note(stderr, `nothing of this is a stream of ${flags.agent} that I know. ${advice}`);
      return 3;
    }
    if (!reader.isRecognised() && flags.json) {
      const advice = reader.advice() ?? 'Name the agent with --agent.';
      note(stderr, `this was not the stream of an agent that I know, so there are no events. ${advice}`);
      return 3;
    }
    if (!reader.isRecognised()) {
      const advice = reader.advice() ?? 'See glassbox --help.';
      note(stderr, `this was not the stream of an agent that I know, so I passed it through. ${advice}`);
      return 0;
    }
    return printer.status() ?? 4;
  }
}

/** A turn that has no result because somebody ended the reading is interrupted, in every view and in what is kept. */
function interruptible(reader: StreamReader, interrupt: Interrupt): StreamReader {
  const named = (event: AgentEvent): AgentEvent => {
    if (event.type !== 'turn-end' || event.outcome !== 'unknown') return event;
    return { ...event, outcome: 'interrupted', error: { category: 'interrupted', message: interrupt.why() } };
  };
  return {
    ...reader,
    end() {
      const parts = reader.end();
      if (!interrupt.signal.aborted) return parts;
      return parts.map((part) => (part.events ? { events: part.events.map(named) } : part));
    },
  };
}

function keeping(printer: Printer, kept: KeptPipe): Printer {
  return {
    ...printer,
    print(events) {
      const printed = printer.print(events);
      kept.push(events);
      return printed;
    },
  };
}
