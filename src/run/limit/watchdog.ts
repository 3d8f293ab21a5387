/** Watches for runs that go nowhere and says what it saw; pure but for the times it is given. */
import type { AgentEvent } from '../../event/index.js';
import type { RunSummary } from '../run-summary.js';

/** `note` only tells; `ask` asks whether to go on; `interrupt` stops the turn; `end` ends the run. */
export type WatchPolicy = 'note' | 'ask' | 'interrupt' | 'end';

export interface WatchdogOptions {
  /** Nothing came while the agent was at work. Default: 10 minutes, note. */
  silence?: { afterMs: number; policy: WatchPolicy } | false;
  /** The same tool call, with the same input, again and again. Default: 10 times, note. */
  repetition?: { times: number; policy: WatchPolicy } | false;
  /** Tokens spent since a file changed. Default: off, many tasks change nothing. */
  spend?: { tokens: number; policy: WatchPolicy } | false;
  /** An approval that nobody answers. Default: 5 minutes, note. */
  approval?: { afterMs: number; policy: WatchPolicy } | false;
  /** The process outlives its last result with nothing left to do. Default: 1 minute, end. */
  linger?: { afterMs: number; policy: WatchPolicy } | false;
  /** Background tasks go on after the last result. Default: 30 minutes, note. */
  tasks?: { afterMs: number; policy: WatchPolicy } | false;
}

export type Watch = keyof WatchdogOptions;

export interface Alarm {
  watch: Watch;
  policy: WatchPolicy;
  /** What was seen, for people. */
  message: string;
}

export interface Watchdog {
  see(event: AgentEvent, now: number): Alarm | undefined;
  /** The time that `dueAt` named has come. */
  tick(now: number): Alarm | undefined;
  dueAt(): number | undefined;
  /** Readers make the agent wait: its silence is ours. */
  hold(held: boolean, now: number): void;
  /** Nothing more can be said to the agent. */
  inputClosed(now: number): void;
}

const MINUTE = 60_000;
const DEFAULTS = {
  silence: { afterMs: 10 * MINUTE, policy: 'note' },
  repetition: { times: 10, policy: 'note' },
  spend: false,
  approval: { afterMs: 5 * MINUTE, policy: 'note' },
  linger: { afterMs: MINUTE, policy: 'end' },
  tasks: { afterMs: 30 * MINUTE, policy: 'note' },
} as const satisfies Required<WatchdogOptions>;

type Timed = 'silence' | 'approval' | 'linger' | 'tasks';
const TIMED: readonly Timed[] = ['silence', 'approval', 'linger', 'tasks'];

export function createWatchdog(options: WatchdogOptions, summary: RunSummary): Watchdog {
  const watches: Required<WatchdogOptions> = { ...DEFAULTS, ...options };
  /** Since when each watched state lasts; absent when it does not, or was told already. */
  const since = new Map<Timed, number>();
  const calls = createRepetition();
  let tokensAtChange = 0;
  let spendTold = false;
  let held = false;
  let closed = false;

  /** The one state of the agent that time can make suspicious. */
  function stateNow(): Timed | undefined {
    if (summary.isAsking()) return 'approval';
    if (summary.isTurnOpen()) return 'silence';
    if (summary.hasTasks()) return 'tasks';
    return closed && summary.outcome() !== undefined ? 'linger' : undefined;
  }

  function restart(now: number): void {
    const state = stateNow();
    for (const watch of TIMED) {
      if (watch !== state) since.delete(watch);
      // Any sign of life ends silence; the other states go on in spite of it.
      else if (watch === 'silence' || !since.has(watch)) since.set(watch, now);
    }
  }

  function due(): { watch: Timed; at: number } | undefined {
    if (held) return undefined;
    for (const [watch, start] of since) {
      const setting = watches[watch];
      if (setting && Number.isFinite(start)) return { watch, at: start + setting.afterMs };
    }
    return undefined;
  }

  function alarm(watch: Watch, message: string): Alarm | undefined {
    const setting = watches[watch];
    return setting ? { watch, policy: setting.policy, message } : undefined;
  }

  function checkSpend(event: AgentEvent): Alarm | undefined {
    const { spend } = watches;
    if (!spend) return undefined;
    const spent = summary.spentTokens();
    if (event.type === 'file-change') {
      tokensAtChange = spent;
      spendTold = false;
    }
    if (spendTold || spent - tokensAtChange < spend.tokens) return undefined;
    spendTold = true;
    return alarm('spend', `${spent - tokensAtChange} tokens spent since a file changed`);
  }

  return {
    see(event, now) {
      restart(now);
      const again = calls.see(event);
      if (again && watches.repetition && again.times === watches.repetition.times) {
        return alarm(
          'repetition',
          `the same call ${again.times} times in a row: ${again.name} ${again.summary}`.trim(),
        );
      }
      return checkSpend(event);
    },
    tick(now) {
      const next = due();
      if (!next || next.at > now) return undefined;
      const passed = timeText(now - (since.get(next.watch) ?? now));
      since.set(next.watch, Number.POSITIVE_INFINITY);
      return alarm(next.watch, describe(next.watch, passed, summary.doing()));
    },
    dueAt: () => due()?.at,
    hold(hold, now) {
      held = hold;
      if (!held) restart(now);
    },
    inputClosed(now) {
      closed = true;
      restart(now);
    },
  };
}

function describe(watch: Timed, passed: string, doing: string): string {
  switch (watch) {
    case 'silence':
      return `no sign of life for ${passed}, while ${doing}`;
    case 'approval':
      return `nobody has answered for ${passed}: ${doing}`;
    case 'tasks':
      return `the answer came ${passed} ago, but it is still ${doing}`;
    case 'linger':
      return `the answer came ${passed} ago, but the process is still alive`;
  }
}

function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Counts how often the same call came in a row, by the main conversation or any one child. */
function createRepetition() {
  const names = new Map<string, string>();
  let last = '';
  let times = 0;
  return {
    see(event: AgentEvent): { name: string; summary: string; times: number } | undefined {
      if (event.type === 'tool-start') names.set(event.id, event.name);
      if (event.type === 'tool-end') names.delete(event.id);
      if (event.type !== 'tool-input-end') return undefined;
      const name = names.get(event.id) ?? 'a tool';
      const call = `${event.parent ?? ''} ${name} ${asText(event.input) ?? event.summary}`;
      times = call === last ? times + 1 : 1;
      last = call;
      return { name, summary: event.summary, times };
    },
  };
}

/** Undefined for an input that is nested too deeply to be written. */
function asText(input: unknown): string | undefined {
  try {
    return JSON.stringify(input);
  } catch {
    return undefined;
  }
}
