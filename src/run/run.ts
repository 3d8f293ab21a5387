/** A process as `{ events, completion }`: returns at once, can be steered while it runs, and always ends. */
import type { Action } from '../agent/index.js';
import { createPipeline, type Output } from '../decode/index.js';
import { type AgentEvent, type Completion, type Draft, type ErrorFacts, GlassboxError } from '../event/index.js';
import { type AgentProcess, attendProcess, type Exit } from './agent-process.js';
import { createApprovalDesk } from './approval.js';
import { createClosing } from './closing.js';
import { createEventQueue } from './event-queue.js';
import type { RunHandle } from './handle.js';
import { killOnExit } from './host-exit.js';
import { createLimitCheck } from './limit.js';
import { reapOrphans } from './reaper.js';
import { concludeReason, describeEnding, type Ended, type Ender } from './reason.js';
import { planRun, type RunRequest, withDefaults } from './request.js';
import { runsDirectory, startAgent } from './start.js';
import { createTally } from './tally.js';
import { createTap, type TapFeed } from './tap.js';
import { type Alarm, createWatchdog } from './watchdog.js';

const APPROVAL_TIMEOUT_MS = 600_000;

export function run(request: RunRequest, defaults: Partial<RunRequest> = {}): RunHandle {
  const plan = planRun(withDefaults(request, defaults));
  const { agent, runId, policy } = plan;
  const { onDrop, signal, keepOpen = false, approvalTimeoutMs = APPROVAL_TIMEOUT_MS, ...options } = plan.request;
  const startedAt = Date.now();
  const command = agent.command(plan.command);

  let live: AgentProcess | undefined;
  let isGone = false;
  let ender: (Ender & { at: number }) | undefined;
  let interrupted: Ender | undefined;
  const notes: string[] = [];
  const waitingWords: string[] = [];
  let timeout: NodeJS.Timeout | undefined;
  let alarmClock: NodeJS.Timeout | undefined;
  let quiet: () => void = () => {};
  const quieted = new Promise<void>((resolve) => {
    quiet = resolve;
  });

  const taps = new Set<TapFeed>();
  const queue = createEventQueue({
    onRoom: () => hold(false),
    onDrop: () => (onDrop === 'cancel' ? cancel() : leaveAlone()),
  });
  const pipeline = createPipeline({
    agent,
    runId,
    request: plan.command,
    peek: (draft) => desk.peek(draft),
    ...(options.maxLineBytes !== undefined && { maxLineBytes: options.maxLineBytes }),
    ...(options.raw !== undefined && { raw: options.raw }),
  });
  const tally = createTally(plan.baselineUsd);
  const desk = createApprovalDesk({
    policy,
    canEditInput: agent.capabilities.editInput !== false,
    timeoutMs: approvalTimeoutMs,
    isAttended: () => queue.hasReaders() || taps.size > 0,
    act: (action) => act(action),
    emit: (draft) => emit(draft),
  });
  const watchdog = createWatchdog(options.watchdog ?? {}, tally);
  const { budgetUsd, budgetTokens, maxTurns } = options;
  const maxSteps = agent.capabilities.maxTurns ? undefined : maxTurns;
  const exceeds = createLimitCheck({ budgetUsd, budgetTokens, maxSteps }, tally);
  const closing = createClosing({ keepOpen, isIdle: () => pipeline.idle(), close: () => closeInput() });

  // From the agent to the readers.

  function deliver({ events, send }: Output): void {
    if (send.length > 0 && live && !live.send(send)) warn('input-lost', `${agent.title} no longer listens.`);
    publish(events);
    for (const event of events) react(event);
  }

  function publish(events: readonly AgentEvent[]): void {
    for (const event of events) tally.see(event);
    queue.push(events);
    for (const feed of taps) feed.push(events);
    if (queue.isFull()) hold(true);
  }

  function react(event: AgentEvent): void {
    if (event.type === 'approval-request') desk.request(event);
    else if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') desk.settle(event.id);
    else if (event.type === 'turn-end') quiet();
    closing.see(event);
    const excess = exceeds(event);
    if (excess) end(excess);
    const alarm = watchdog.see(event, Date.now());
    if (alarm) raise(alarm);
    setAlarmClock();
  }

  function emit(draft: Draft): void {
    deliver({ events: pipeline.emit(draft), send: [] });
  }

  function warn(code: string, message: string): void {
    emit({ type: 'warning', code, message, turn: 0, source: 'synthetic' });
  }

  // From the outside to the agent.

  function act(action: Action): boolean {
    const output = pipeline.act(action);
    if (output === 'unsupported') return false;
    deliver(output);
    return true;
  }

  function closeInput(): void {
    live?.closeInput();
    watchdog.inputClosed(Date.now());
    setAlarmClock();
  }

  function hold(held: boolean): void {
    live?.hold(held);
    watchdog.hold(held, Date.now());
    setAlarmClock();
  }

  function leaveAlone(): void {
    if (taps.size === 0 && !queue.hasReaders()) desk.nobodyLeft();
  }

  function interruptTurn(why: Ender): boolean {
    if (!live || live.hasExited()) return false;
    interrupted ??= why;
    if (act({ type: 'interrupt' })) return true;
    // One that takes no requests may still know the signal that a terminal would send.
    if (command.ending.some((rung) => rung.do === 'signal' && rung.signal === 'SIGINT')) live.signal('SIGINT');
    else end(why);
    return true;
  }

  function end(why: Ender): void {
    if (isGone || (live?.hasExited() && why.reason !== 'cancelled')) return;
    const at = Date.now();
    // The first reason wins; a cancellation in the same moment wins the tie.
    if (!ender || (why.reason === 'cancelled' && ender.at === at)) ender = { ...why, at };
    void live?.end();
  }

  function cancel(): void {
    end({ reason: 'cancelled', message: 'cancelled' });
  }

  // Watching.

  function setAlarmClock(): void {
    clearTimeout(alarmClock);
    const due = watchdog.dueAt();
    if (due === undefined || !live || isGone) return;
    alarmClock = setTimeout(ringAlarm, Math.max(0, due - Date.now()));
  }

  function ringAlarm(): void {
    const alarm = watchdog.tick(Date.now());
    if (alarm) raise(alarm);
    setAlarmClock();
  }

  function raise({ watch, policy: then, message }: Alarm): void {
    if (ender) return;
    notes.push(message);
    warn(`watchdog-${watch}`, message);
    // An answer that was given stays given: only what came after it is ended.
    const why: Ender = { reason: 'stalled', message };
    if (then === 'end') {
      if (watch === 'linger' || watch === 'tasks') void live?.end();
      else end(why);
    } else if (then === 'interrupt') interruptTurn(why);
    else if (then === 'ask') {
      const question = { title: 'Let it go on?', description: message, turn: tally.facts().turns };
      void desk.ask(question).then((goesOn) => goesOn || end(why));
    }
  }

  // The course of a run.

  async function course(): Promise<Completion> {
    reapOnce();
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    warnBefore();
    const started = ender ? 'cancelled' : await startAgent(plan, command, () => ender !== undefined);
    if (started === 'cancelled') return finish({ steps: [], survivors: [] });
    if ('error' in started) return finish({ steps: [], survivors: [] }, started.error);

    const process = attendProcess(started.child, {
      runId,
      ladder: command.ending,
      survivors: options.survivors ?? 'end',
      onData: (bytes) => deliver(pipeline.push(bytes)),
      interrupt: () => act({ type: 'interrupt' }),
      quiet: quieted,
    });
    live = process;
    const forget = killOnExit(process.pid);
    begin();
    const exit = await process.gone;
    forget();
    await started.tidy().catch(() => {});
    return finish(exit);
  }

  function begin(): void {
    const { timeoutMs = 0 } = options;
    if (timeoutMs > 0) {
      const message = `took longer than ${timeoutMs / 1000} s`;
      timeout = setTimeout(
        () => end({ reason: 'timed-out', message: `${message}, while ${tally.doing()}` }),
        timeoutMs,
      );
    }
    // Cancelled while it started.
    if (ender) void live?.end();
    const { stdin } = command;
    if (stdin.kind === 'text') live?.send([stdin.text]);
    if (stdin.kind !== 'lines') closeInput();
    deliver(pipeline.start());
    for (const text of waitingWords.splice(0)) say(text);
  }

  function finish(exit: Exit, error?: ErrorFacts): Promise<Completion> {
    isGone = true;
    clearTimeout(timeout);
    clearTimeout(alarmClock);
    closing.stop();
    signal?.removeEventListener('abort', cancel);
    const open = { ...tally.open(), processes: [...exit.survivors] };
    const ended: Ended = { title: agent.title, ender, interrupted, exit, tally };
    // Asked before the stream is closed, which would make everything look ended.
    const conclusion = error && !ender ? { reason: 'spawn-failed' as const, error } : concludeReason(ended);
    desk.close();
    deliver(pipeline.end());
    const detail = describeEnding(ended, ender ? [] : notes);
    const { error: _, ...facts } = tally.facts();
    const completion: Completion = {
      ...facts,
      ...conclusion,
      ...(exit.exitCode !== undefined && { exitCode: exit.exitCode }),
      ...(exit.signal !== undefined && { signal: exit.signal }),
      ...(detail !== undefined && { detail }),
      open,
      durationMs: Date.now() - startedAt,
    };
    publish(pipeline.emit({ type: 'run-end', ...completion, turn: facts.turns, source: 'synthetic' }));
    queue.end();
    for (const feed of taps) feed.end();
    return queue.finality.then(() => completion);
  }

  function warnBefore(): void {
    if (policy.permission === 'bypass') {
      warn('permission-bypass', `${agent.title} may do anything without being asked: permission is bypass.`);
    }
    const forbids = policy.rules.some(({ decision }) => decision !== 'allow');
    if (forbids && (policy.permission === 'bypass' || options.allowedTools?.length)) {
      warn('rules-unreachable', 'Tools that are allowed beforehand are not asked about, so no rule can stop them.');
    }
  }

  function say(text: string): void {
    if (plan.command.mode === 'one-shot') {
      throw new GlassboxError('unsupported-capability', 'This run takes no further messages; start it with keepOpen.');
    }
    if (isGone || ender || live?.hasExited()) throw new GlassboxError('conflict', 'The run has ended.');
    if (!live) {
      waitingWords.push(text);
      return;
    }
    closing.said();
    if (!act({ type: 'say', text }))
      throw new GlassboxError('unsupported-capability', `${agent.title} takes no further messages.`);
  }

  const completion = course();
  return {
    runId,
    agent: agent.name,
    capabilities: agent.capabilities,
    events: { [Symbol.asyncIterator]: () => queue.read() },
    tap({ capacity = 256 } = {}) {
      const feed = createTap(capacity, () => {
        taps.delete(feed);
        leaveAlone();
      });
      if (isGone) feed.end();
      else taps.add(feed);
      return feed.tap;
    },
    completion,
    say,
    approve: desk.approve,
    deny: desk.deny,
    answer: desk.answer,
    pending: desk.pending,
    interrupt: () => interruptTurn({ reason: 'cancelled', message: 'interrupted' }),
    cancel,
    close: closing.release,
    stderrTail: () => live?.stderrTail() ?? '',
    async [Symbol.asyncDispose]() {
      cancel();
      queue.abandon();
      await completion;
    },
  };
}

let hasReaped = false;

/** Once per process, beside the first run: nobody waits for it. */
function reapOnce(): void {
  if (hasReaped) return;
  hasReaped = true;
  void reapOrphans(runsDirectory()).catch(() => {});
}
