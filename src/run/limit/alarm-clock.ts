/** Wakes the watchdog when it is due, and does what its policy says about what it saw. */
import type { AgentEvent } from '../../event/index.js';
import type { Ender } from '../reason.js';
import type { RunSummary } from '../run-summary.js';
import { type Deadline, setDeadline } from './deadline.js';
import { type Alarm, createWatchdog, type WatchdogOptions } from './watchdog.js';

export interface AlarmClock {
  see(event: AgentEvent): void;
  /** See `Watchdog`. */
  hold(held: boolean): void;
  inputClosed(): void;
  stop(): void;
  /** Everything that was told, for the completion. */
  readonly notes: readonly string[];
}

export interface AlarmActions {
  note(code: string, message: string): void;
  /** Whether the run may go on, as a person decides. */
  ask(message: string): Promise<boolean>;
  interrupt(why: Ender): void;
  /** Ends the run for this reason; without one the agent's own result still says how it went. */
  end(why?: Ender): void;
}

export function createAlarmClock(options: WatchdogOptions, summary: RunSummary, actions: AlarmActions): AlarmClock {
  const watchdog = createWatchdog(options, summary);
  const notes: string[] = [];
  let timer: Deadline | undefined;
  /** When the timer rings. */
  let ringsAt = 0;
  let stopped = false;

  /** Every event puts off what is due, and a new timer for each would cost more than the event: one that rings too early looks again. */
  function set(): void {
    const due = stopped ? undefined : watchdog.dueAt();
    if (timer && due !== undefined && ringsAt <= due) return;
    timer?.cancel();
    timer = undefined;
    if (due === undefined) return;
    ringsAt = due;
    timer = setDeadline(ring, Math.max(0, due - performance.now()));
  }

  function ring(): void {
    timer = undefined;
    const alarm = watchdog.tick(performance.now());
    if (alarm) raise(alarm);
    set();
  }

  function raise({ watch, policy, message }: Alarm): void {
    if (stopped) return;
    notes.push(message);
    actions.note(`watchdog-${watch}`, message);
    const why: Ender = { reason: 'stalled', message };
    // After the answer there is nothing left to stall: what came of the run stands.
    const end = () => actions.end(watch === 'linger' || watch === 'tasks' ? undefined : why);
    if (policy === 'end') end();
    else if (policy === 'interrupt') actions.interrupt(why);
    else if (policy === 'ask') void actions.ask(message).then((goesOn) => goesOn || end());
  }

  return {
    see(event) {
      const alarm = watchdog.see(event, performance.now());
      if (alarm) raise(alarm);
      set();
    },
    hold(held) {
      watchdog.hold(held, performance.now());
      set();
    },
    inputClosed() {
      watchdog.inputClosed(performance.now());
      set();
    },
    stop() {
      stopped = true;
      timer?.cancel();
    },
    notes,
  };
}
