/** Holds the screen, the keyboard and the clock of the panels: brings what happens to their state, draws it, and does what it wants done. */
import type { SessionPresences } from '../../../observer/index.js';
import type { Store } from '../../../store/index.js';
import {
  askingChangesAt,
  chosen,
  frameRows,
  type Moment,
  NOTHING_SHOWN,
  type PanelsEvent,
  update,
} from '../../../view/panels/index.js';
import type { Key } from '../../../view/terminal/key.js';
import { createFrameClock } from '../../live/frame-clock.js';
import { createNotifier } from '../../notice/notifier.js';
import type { TerminalNotice } from '../../notice/terminal-notice.js';
import { createDoer } from './do-deed.js';
import { createOpenedSession } from './follow-opened.js';
import { followSessions } from './follow-sessions.js';
import { createOwnRuns } from './own-runs.js';
import { createPanelNotices } from './panel-notices.js';
import { createWholeScreen } from './whole-screen.js';

export interface PanelsOptions {
  store: Store;
  process: NodeJS.Process;
  presences: SessionPresences;
  color: boolean;
  /** Where somebody who looks elsewhere is told; undefined where that is not wanted. */
  notice: TerminalNotice | undefined;
  /** The program that is told too. */
  notify: readonly string[];
  /** It was asked for here, so it hears of everything; otherwise whoever runs an agent tells it by itself. */
  isNotifiedOfAll: boolean;
  /** Ends them. */
  signal: AbortSignal;
}

export interface Panels extends Disposable {
  /** Settles when somebody has left, and what was started here has ended; rejects when the store fails. */
  readonly over: Promise<void>;
  /** Aborted as soon as somebody leaves. */
  readonly signal: AbortSignal;
  /** Whether somebody looks. */
  isAttended(): boolean;
  /** Something that a person should know. */
  tell(text: string): void;
}

export function createPanels(options: PanelsOptions): Panels {
  const { store, process, presences, color, notice, signal: interrupted } = options;
  const { stdin, stdout } = process;
  const left = new AbortController();
  const signal = AbortSignal.any([interrupted, left.signal]);
  let state = NOTHING_SHOWN;
  let timer: NodeJS.Timeout | undefined;
  let failure: { error: unknown } | undefined;

  function moment(): Moment {
    return { size: { columns: stdout.columns || 80, rows: stdout.rows || 24 }, color, now: Date.now() };
  }

  function dispatch(event: PanelsEvent): void {
    if (signal.aborted) return;
    const { state: next, deeds } = update(state, event, moment());
    const isChanged = next !== state;
    state = next;
    if (isChanged) {
      opened.open(chosen(state)?.session);
      clock.request();
    }
    for (const deed of deeds) perform(deed);
  }

  /** Once a second too, because time goes on. */
  function draw(): boolean {
    if (!screen.isOn || signal.aborted) return false;
    const now = moment();
    screen.paint(frameRows(state, now));
    state = update(state, { type: 'drawn' }, now).state;
    const changesAt = askingChangesAt(state, now.now);
    clearTimeout(timer);
    if (changesAt !== undefined) timer = setTimeout(clock.request, changesAt - now.now);
    return true;
  }

  function onKey(key: Key): void {
    if (key.name === 'ctrl-z' && process.platform !== 'win32') suspend();
    else if (key.name === 'ctrl-l') redraw();
    else dispatch({ type: 'key', key });
  }

  function suspend(): void {
    screen.leave();
    notice?.[Symbol.dispose]();
    process.once('SIGCONT', screen.enter);
    process.kill(process.pid, 'SIGSTOP');
  }

  function redraw(): void {
    screen.forget();
    clock.request();
  }

  function fail(error: unknown): void {
    failure ??= { error };
    left.abort();
  }

  const leave = () => left.abort();
  const tell = (text: string) => dispatch({ type: 'told', text, isBad: true });
  const notifier = createNotifier(options.notify, process, tell);
  const notices = createPanelNotices({
    terminal: notice,
    notifier,
    isToBeTold: (owner) => options.isNotifiedOfAll || owner === undefined || owner.pid === process.pid,
  });
  const clock = createFrameClock(draw);
  const screen = createWholeScreen(process, { onKey, onEnter: clock.request });
  const opened = createOpenedSession(store, {
    onOpened: (one) => dispatch({ type: 'opened', opened: one }),
    onFailure: fail,
    isAtEnd: () => state.top === undefined,
  });
  const ownRuns = createOwnRuns(store, process, {
    onCount: (count) => dispatch({ type: 'own-runs', count }),
    onTrouble: tell,
  });
  const list = followSessions({
    store,
    presences,
    signal,
    onListed(listed) {
      dispatch({ type: 'listed', listed });
      notices.see(listed);
    },
    onSpent: (today) => dispatch({ type: 'spent', today }),
    onChange: opened.read,
  });
  const perform = createDoer({ store, process, screen, color, list, opened, ownRuns, dispatch, quit: leave, signal });

  async function untilLeft(): Promise<void> {
    list.done.catch(fail);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    screen.leave();
    await ownRuns.close();
    await list.done.catch(() => {});
    await notifier.close();
    if (failure) throw failure.error;
  }

  stdout.on('resize', redraw);
  // A terminal that is gone is one that somebody has left.
  for (const stream of [stdin, stdout]) stream.on('error', leave);
  process.on('SIGQUIT', leave);
  screen.enter();
  return {
    over: untilLeft(),
    signal,
    isAttended: () => screen.isOn,
    tell,
    [Symbol.dispose]() {
      left.abort();
      clearTimeout(timer);
      clock[Symbol.dispose]();
      screen[Symbol.dispose]();
      notice?.[Symbol.dispose]();
      stdout.off('resize', redraw);
      process.off('SIGQUIT', leave);
      process.off('SIGCONT', screen.enter);
    },
  };
}
