/** Events → a picture of the session that lives at the end of the terminal; or, for who listens, only what is final, in words. */
import type { AgentEvent } from '../../event/index.js';
import { initialState, reduce, selectRun } from '../../session/index.js';
import { type LiveOptions, liveRows, NOTHING_TOLD, statusRow } from '../../view/terminal/index.js';
import type { AskingTerminal } from '../ask/asking-terminal.js';
import { type Edited, editInput } from '../ask/edit-input.js';
import type { ViewFlags } from '../flag/view-flag.js';
import { wantsColor } from '../print/color.js';
import type { Printer } from '../print/printer.js';
import { createSink } from '../print/sink.js';
import { createFrameClock } from './frame-clock.js';
import { createLiveControl, type KeyUse } from './live-control.js';
import { createLiveScreen } from './live-screen.js';

export interface LiveOptionsOfPrinter {
  /** Instead of what is drawn: only what is final, as it becomes final. */
  isPlain: boolean;
  /** What is said before its first event. */
  starting?: string | undefined;
  /** What keys do that are no signals. */
  keys?: KeyUse | undefined;
  /** Where somebody can be asked. */
  terminal?: AskingTerminal | undefined;
}

/** Rows that the status, the air above it and the cursor take. */
const BESIDES = 3;
/** Rows that are left for what goes on beside a question. */
const LEAST_OPEN = 3;

/** `lines` counts and judges; nothing of its text is printed. */
export function createLivePrinter(
  lines: Printer,
  flags: ViewFlags,
  process: NodeJS.Process,
  { isPlain, starting, keys: use = {}, terminal }: LiveOptionsOfPrinter,
): Printer {
  const { stdin, stdout, stderr, env } = process;
  const sink = createSink(stdout);
  const color = !isPlain && wantsColor(flags.color, stdout, env);
  const screen = createLiveScreen(process, (text) => sink.write(text));
  const clock = createFrameClock(draw);
  const input = terminal?.input ?? (stdin.isTTY ? stdin : undefined);
  const control =
    isPlain || !input
      ? undefined
      : createLiveControl(process, {
          input,
          use,
          write: (text) => sink.write(text),
          onChange: clock.request,
          suspend,
          edit,
        });
  let state = initialState;
  let told = NOTHING_TOLD;
  /** When the newest event was received, by its own clock and by ours: recordings have old ones. */
  let newest = { at: 0, here: performance.now() };
  const begunHere = performance.now();
  let isHeld = false;
  let isOver = false;

  function options(height: number): LiveOptions {
    return {
      width: stdout.columns || 80,
      height,
      color,
      isFull: false,
      hasThoughts: flags.thinking ?? false,
      isPlain,
      now: newest.at + performance.now() - newest.here,
      isOver,
    };
  }

  function draw(): boolean {
    if (isHeld) return false;
    const room = Math.max(3, (stdout.rows || 24) - BESIDES);
    const { above = [], below = [] } = isOver
      ? {}
      : (control?.rows({ width: stdout.columns || 80, height: room - LEAST_OPEN, color }) ?? {});
    const look = options(Math.max(LEAST_OPEN, room - above.length - Math.max(1, below.length)));
    const rows = liveRows(state, told, look);
    told = rows.told;
    if (isPlain) {
      void sink.write(rows.settled.map((row) => `${row}\n`).join(''));
      return false;
    }
    const open = isOver ? [] : [...rows.open, '', ...above, statusOf(look), ...below];
    screen.paint({ settled: rows.settled, open });
    return open.length > 0;
  }

  function statusOf(look: LiveOptions): string {
    const run = selectRun(state);
    const startedAt = run?.startedAt ?? look.now - (performance.now() - begunHere);
    return statusRow(state, { ...look, startedAt, starting, hint: control?.hint() });
  }

  /** The terminal is the editor's until it ends. */
  async function edit(shown: unknown): Promise<Edited> {
    hold();
    try {
      return await editInput(shown, env, terminal?.descriptors ?? { input: stdin.fd, output: stdout.fd });
    } finally {
      release();
    }
  }

  /** Settled rows first, so that everything stands in its order. */
  function makeRoom(): void {
    clock.flush();
    screen.clear();
  }

  function hold(): void {
    makeRoom();
    control?.detach();
    isHeld = true;
  }

  function release(): void {
    isHeld = false;
    control?.attach();
    clock.request();
  }

  function suspend(): void {
    hold();
    process.once('SIGCONT', release);
    process.kill(process.pid, 'SIGSTOP');
  }

  function end(): undefined {
    if (isOver) return;
    isOver = true;
    isHeld = false;
    clock.flush();
    clock[Symbol.dispose]();
    control?.[Symbol.dispose]();
    screen[Symbol.dispose]();
    stdout.off('resize', clock.request);
    process.off('SIGTSTP', suspend);
  }

  stdout.on('resize', clock.request);
  if (!isPlain) process.on('SIGTSTP', suspend);
  control?.attach();
  if (starting !== undefined) clock.request();

  return {
    ...lines,
    print(events: readonly AgentEvent[]) {
      void lines.print(events);
      for (const event of events) {
        state = reduce(state, event);
        newest = { at: event.at, here: performance.now() };
        control?.see(event);
      }
      if (!isOver) clock.request();
      return undefined;
    },
    raw(bytes) {
      if (bytes.length === 0) return undefined;
      // Talk before the stream begins, or all there is: as it came.
      if (selectRun(state) !== undefined) makeRoom();
      return sink.write(bytes);
    },
    end,
    hold,
    release,
    person: terminal && control?.person,
    unsaid: () => control?.unsaid() ?? [],
    remarks: {
      isTTY: stderr.isTTY,
      get columns() {
        return stderr.columns;
      },
      write(text: string) {
        if (isOver || isHeld || isPlain || !stderr.isTTY) return stderr.write(text);
        makeRoom();
        clock.request();
        return stderr.write(text.endsWith('\n') ? text : `${text}\n`);
      },
    },
    closed: sink.closed,
  };
}
