/** A process as `{ events, completion }`: returns at once, can be steered while it runs, and always ends. */
import type { Action } from '../agent/index.js';
import { createPipeline, type Output, redactText, watchFields } from '../decode/index.js';
import { type AgentEvent, type Completion, type Draft, type ErrorFacts, GlassboxError } from '../event/index.js';
import { type AgentProcess, attendProcess, type Exit } from './agent-process.js';
import { createAlarmClock } from './alarm-clock.js';
import { createApprovalDesk } from './approval.js';
import { createCapture } from './capture.js';
import { createClosing } from './closing.js';
import { createEventQueue } from './event-queue.js';
import type { RunHandle } from './handle.js';
import { killOnExit } from './host-exit.js';
import { createLimitCheck } from './limit.js';
import { policyWarnings } from './policy.js';
import { reapOrphans } from './reaper.js';
import { conclude, type Ender, leftBy } from './reason.js';
import { planRun, type RunRequest, withDefaults } from './request.js';
import { runsDirectory, startAgent } from './start.js';
import { createTally } from './tally.js';
import { createTap, type TapFeed } from './tap.js';

const APPROVAL_TIMEOUT_MS = 600_000;
const SURVIVOR_GRACE_MS = 2000;
const NO_PROCESS: Exit = { steps: [], survivors: [] };

export function run(request: RunRequest, defaults: Partial<RunRequest> = {}): RunHandle {
  const plan = planRun(withDefaults(request, defaults));
  const { agent, runId, policy } = plan;
  const { keepOpen = false, approvalTimeoutMs = APPROVAL_TIMEOUT_MS, timeoutMs = 0, ...options } = plan.request;
  const { capabilities, title } = agent;
  const command = agent.command(plan.command);
  const startedAt = Date.now();

  let live: AgentProcess | undefined;
  let isGone = false;
  let isInputClosed = false;
  let ender: (Ender & { at: number }) | undefined;
  let interrupted: Ender | undefined;
  let timeout: NodeJS.Timeout | undefined;
  const saidEarly: string[] = [];
  let onTurnEnd: () => void = () => {};

  const taps = new Set<TapFeed>();
  const queue = createEventQueue({
    onRoom: () => hold(false),
    onDrop: () => (options.onDrop === 'cancel' ? cancel() : answerIfDeserted()),
  });
  const pipeline = createPipeline({
    agent: watchFields(agent),
    runId,
    request: plan.command,
    peek: (draft) => desk.peek(draft),
    guard: options.guard,
    maxLineBytes: options.maxLineBytes,
    raw: options.raw,
  });
  const capture = options.captureBytes === undefined ? undefined : createCapture(options.captureBytes);
  const tally = createTally(plan.baselineUsd);
  const desk = createApprovalDesk({
    policy,
    canEditInput: capabilities.editInput !== false,
    timeoutMs: approvalTimeoutMs,
    isAttended,
    act,
    emit,
  });
  const alarms = createAlarmClock(options.watchdog ?? {}, tally, {
    note: warn,
    ask: (description) => desk.ask({ title: 'Let it go on?', description, turn: tally.facts().turns }),
    interrupt: interruptTurn,
    end: (why) => (why ? end(why) : void live?.end()),
  });
  const maxSteps = capabilities.maxTurns ? undefined : options.maxTurns;
  const exceeds = createLimitCheck({ ...options, maxSteps }, tally);
  const closing = createClosing({
    keepOpen,
    hasPrompt: plan.command.prompt !== undefined,
    isIdle: pipeline.idle,
    close: closeInput,
  });

  const completion = course();
  return {
    runId,
    agent: agent.name,
    capabilities,
    events: { [Symbol.asyncIterator]: queue.read },
    tap,
    completion,
    say,
    approve: desk.approve,
    deny: desk.deny,
    answer: desk.answer,
    pending: desk.pending,
    interrupt: () => interruptTurn({ reason: 'cancelled', message: 'interrupted' }),
    cancel,
    close: closing.release,
    captured: () => capture?.text() ?? '',
    stderrTail: () => redactText(live?.stderrTail() ?? ''),
    async [Symbol.asyncDispose]() {
      cancel();
      queue.abandon();
      await completion;
    },
  };

  // The course of a run, from the request to its completion.

  async function course(): Promise<Completion> {
    reapOnce();
    options.signal?.addEventListener('abort', cancel, { once: true });
    if (options.signal?.aborted) cancel();
    for (const { code, message } of policyWarnings(policy, agent, Boolean(options.allowedTools?.length)))
      warn(code, message);
    const isCancelled = () => ender !== undefined;
    const started = isCancelled() ? 'cancelled' : await startAgent(plan, command, isCancelled).catch(startFailure);
    if (started === 'cancelled') return finish(NO_PROCESS);
    if ('error' in started) return finish(NO_PROCESS, started.error);

    live = attendProcess(started.child, {
      runId,
      ladder: command.ending,
      survivors: options.survivors ?? 'end',
      graceMs: options.survivorGraceMs ?? SURVIVOR_GRACE_MS,
      onData(bytes) {
        capture?.push(bytes);
        deliver(pipeline.push(bytes));
      },
      onStderr: typeof options.stderr === 'function' ? options.stderr : undefined,
      interrupt: () => act({ type: 'interrupt' }),
      quiet,
    });
    const forget = killOnExit(live.pid);
    begin(live);
    const exit = await live.gone;
    forget();
    await started.tidy().catch(() => {});
    return finish(exit);
  }

  function begin(agentProcess: AgentProcess): void {
    if (timeoutMs > 0) {
      const message = `took longer than ${timeoutMs / 1000} s`;
      timeout = setTimeout(
        () => end({ reason: 'timed-out', message: `${message}, while ${tally.doing()}` }),
        timeoutMs,
      );
    }
    // Cancelled while it started: then it is told nothing any more.
    if (ender) return void agentProcess.end();
    const { stdin } = command;
    if (stdin.kind === 'text') agentProcess.send([stdin.text]);
    if (stdin.kind !== 'lines') closeInput();
    deliver(pipeline.start());
    for (const text of saidEarly.splice(0)) say(text);
    if (isInputClosed) closeInput();
  }

  /** The disk is full, say. */
  function startFailure(error: unknown): { error: ErrorFacts } {
    const why = error instanceof Error ? error.message : String(error);
    return { error: { category: 'config', message: `${title} could not be started: ${why}` } };
  }

  function finish(exit: Exit, spawnError?: ErrorFacts): Promise<Completion> {
    isGone = true;
    clearTimeout(timeout);
    alarms.stop();
    closing.stop();
    options.signal?.removeEventListener('abort', cancel);
    const durationMs = Date.now() - startedAt;
    const left = leftBy(tally);
    desk.close();
    // Some agents tell how a turn ended only by ending; what is closed here was still open all the same.
    deliver(pipeline.end());
    const completed = conclude({
      title,
      ender,
      interrupted,
      exit,
      spawnError,
      tally,
      left,
      notes: alarms.notes,
      durationMs,
    });
    publish(pipeline.emit({ type: 'run-end', ...completed, turn: completed.turns, source: 'synthetic' }));
    queue.end();
    for (const feed of taps) feed.end();
    return queue.finality.then(() => completed);
  }

  // From the agent to the readers.

  function deliver({ events, send }: Output): void {
    if (send.length > 0 && live && !live.send(send)) warn('input-lost', `${title} no longer listens.`);
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
    else if (event.type === 'turn-end') onTurnEnd();
    closing.see(event);
    const excess = exceeds(event);
    if (excess) end(excess);
    alarms.see(event);
  }

  function emit(draft: Draft): void {
    deliver({ events: pipeline.emit(draft), send: [] });
  }

  function warn(code: string, message: string): void {
    emit({ type: 'warning', code, message, turn: tally.facts().turns, source: 'synthetic' });
  }

  function tap({ capacity = 256 } = {}) {
    const feed = createTap(capacity, () => {
      taps.delete(feed);
      answerIfDeserted();
    });
    if (isGone) feed.end();
    else taps.add(feed);
    return feed.tap;
  }

  function isAttended(): boolean {
    return options.attended ?? (queue.hasReaders() || taps.size > 0);
  }

  function answerIfDeserted(): void {
    if (!isAttended()) desk.nobodyLeft();
  }

  // From the outside to the agent.

  function act(action: Action): boolean {
    const output = pipeline.act(action);
    if (output === 'unsupported') return false;
    deliver(output);
    return true;
  }

  function say(text: string): void {
    if (plan.command.mode === 'one-shot') {
      throw new GlassboxError('unsupported-capability', 'This run takes no further messages; start it with keepOpen.');
    }
    if (isGone || ender || live?.listens() === false) {
      throw new GlassboxError('conflict', `${title} no longer listens; start the run with keepOpen, or resume it.`);
    }
    closing.said();
    if (!live) saidEarly.push(text);
    else if (!act({ type: 'say', text })) {
      throw new GlassboxError('unsupported-capability', `${title} takes no further messages.`);
    }
  }

  function closeInput(): void {
    isInputClosed = true;
    live?.closeInput();
    alarms.inputClosed();
  }

  function hold(held: boolean): void {
    live?.hold(held);
    alarms.hold(held);
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

  /** The turn that is open now has ended. */
  function quiet(): Promise<void> {
    if (!tally.isTurnOpen()) return Promise.resolve();
    return new Promise((resolve) => {
      onTurnEnd = resolve;
    });
  }

  function cancel(): void {
    end({ reason: 'cancelled', message: 'cancelled' });
  }

  function end(why: Ender): void {
    // A limit that is reached after the agent has left by itself changes nothing (LL-23).
    if (isGone || (live?.hasExited() && why.reason !== 'cancelled')) return;
    const at = Date.now();
    // The first reason wins; a cancellation in the same moment wins the tie.
    if (!ender || (why.reason === 'cancelled' && ender.at === at)) ender = { ...why, at };
    alarms.stop();
    void live?.end();
  }
}

let hasReaped = false;

/** Once per process, beside the first run: nobody waits for it. */
function reapOnce(): void {
  if (hasReaped) return;
  hasReaped = true;
  void reapOrphans(runsDirectory()).catch(() => {});
}
