/** A process as `{ events, completion }`: returns at once, can be steered while it runs, and always ends. */
import { setImmediate } from 'node:timers/promises';
import type { Action, Said } from '../agent/index.js';
import { createPipeline, type Output, redactText, watchFields } from '../decode/index.js';
import {
  type AgentEvent,
  type Answer,
  type Completion,
  type Decider,
  type Draft,
  type ErrorFacts,
  GlassboxError,
} from '../event/index.js';
import { refuseUnknown } from '../event/option.js';
import { addHostFacts } from './approval/host-facts.js';
import { createPendingApprovals } from './approval/pending-approvals.js';
import { judge, policyWarnings } from './approval/policy.js';
import { giveFiles } from './attachment/given-file.js';
import { createClosing } from './closing.js';
import { createEventQueue } from './event-queue.js';
import type { RunHandle } from './handle.js';
import { createInstructionReceiver } from './instruction-receiver.js';
import { createAlarmClock } from './limit/alarm-clock.js';
import { type Deadline, setDeadline } from './limit/deadline.js';
import { createLimitCheck } from './limit/limit.js';
import { type AgentProcess, type Exit, superviseProcess } from './process/agent-process.js';
import { createCapture } from './process/capture.js';
import { killOnExit } from './process/host-exit.js';
import { endLeftovers } from './process/leftover.js';
import { startAgent } from './process/start.js';
import { createStderr } from './process/stderr.js';
import { asTold, conclude, type Ender, leftBy, leftText, withReason } from './reason.js';
import { beginningOf, planRun, type RunRequest, termsOf, withDefaults } from './request/request.js';
import { createRunSummary } from './run-summary.js';
import { createStartGate } from './start-gate.js';
import { createTap, type TapFeed } from './tap.js';

const APPROVAL_TIMEOUT_MS = 600_000;
const SURVIVOR_GRACE_MS = 2000;
const HERE: Decider = { by: 'person', via: 'program' };
const NO_PROCESS: Exit = { steps: [], survivors: { found: [], left: [] } };

/** Starts an agent: its events as they happen, and a completion that never rejects. Throws only what the caller must hear before. */
export function run(request: RunRequest, defaults: Partial<RunRequest> = {}): RunHandle {
  const plan = planRun(withDefaults(request, defaults));
  const { agent, runId, policy } = plan;
  const { keepOpen = false, approvalTimeoutMs = APPROVAL_TIMEOUT_MS, timeoutMs = 0, ...options } = plan.request;
  const { capabilities, title } = agent;
  const command = agent.command(plan.command);
  const startedAt = Date.now();
  // Clocks are set, and machines sleep: how long something took is measured by what only goes forward.
  const begunAt = performance.now();

  let live: AgentProcess | undefined;
  let isGone = false;
  let isInputClosed = false;
  let wasAsked = false;
  let ender: (Ender & { at: number }) | undefined;
  let interrupted: Ender | undefined;
  let timeout: Deadline | undefined;
  const saidEarly: Said[] = [];
  let onTurnEnd: () => void = () => {};

  const abort = () => cancel();
  const gate = createStartGate(options.beforeStart);
  const taps = new Set<TapFeed>();
  const queue = createEventQueue({
    onRoom: () => hold(false),
    onDrop: () => (options.onDrop === 'cancel' ? cancel() : answerIfDeserted()),
  });
  const pipeline = createPipeline({
    agent: watchFields(agent),
    runId,
    request: plan.command,
    prepare,
    guard: options.guard,
    maxLineBytes: options.maxLineBytes,
    raw: options.raw,
  });
  const stderr = createStderr(options);
  const capture = options.captureBytes === undefined ? undefined : createCapture(options.captureBytes);
  const summary = createRunSummary();
  const approvals = createPendingApprovals({
    policy,
    canEditInput: capabilities.editInput !== false,
    timeoutMs: approvalTimeoutMs,
    isAttended,
    act,
    emit,
  });
  const alarms = createAlarmClock(options.watchdog ?? {}, summary, {
    note: warn,
    ask: (description) => approvals.ask({ title: 'Let it go on?', description, turn: summary.facts().turns }),
    interrupt: interruptTurn,
    end: (why) => (why ? end(why) : void live?.end()),
  });
  const maxSteps = capabilities.maxTurns ? undefined : options.maxTurns;
  const exceeds = createLimitCheck({ ...options, maxSteps }, summary);
  const closing = createClosing({
    keepOpen,
    hasPrompt: plan.command.prompt !== undefined,
    isIdle: pipeline.idle,
    close: closeInput,
  });

  const interrupt = (why?: string) =>
    interruptTurn({ reason: 'cancelled', ...(why !== undefined && { message: why }) });
  const isEnding = () => isGone || ender !== undefined;
  const receiver = createInstructionReceiver({ runId, title, decide, say, interrupt, cancel, isEnding, warn });

  const completion = perform();
  return {
    runId,
    agent: agent.name,
    capabilities,
    terms: termsOf(plan, request.rules),
    beginning: beginningOf(plan, startedAt),
    events: { [Symbol.asyncIterator]: queue.read },
    tap,
    completion,
    say,
    approve: (id, options) => decide(id, { type: 'approve', ...options }),
    deny: (id, message, options) => decide(id, { type: 'deny', message, ...options }),
    answer: (id, answers) => decide(id, { type: 'answer', answers }),
    decide,
    tell: (instruction, from = HERE) => receiver.receive(instruction, from),
    startAfter: gate.startAfter,
    warn,
    pending: approvals.pending,
    interrupt,
    cancel,
    close: closing.release,
    captured: () => capture?.text() ?? '',
    stderrTail: stderr.tail,
    async [Symbol.asyncDispose]() {
      cancel();
      queue.abandon();
      await completion;
    },
  };

  // A run from the request to its completion.

  async function perform(): Promise<Completion> {
    // Nobody waits for it.
    void endLeftovers();
    options.signal?.addEventListener('abort', abort, { once: true });
    if (options.signal?.aborted) cancel();
    // Nothing is told before whoever started it could begin to read: store, printer and taps all see the first event.
    await setImmediate();
    // Its figures may reach back: every reader of the events shall know how far.
    if (plan.command.resume !== undefined) emit({ type: 'usage-update', balance: options.balance ?? {}, ...ours() });
    for (const { code, message } of policyWarnings(policy, agent, Boolean(options.allowedTools?.length)))
      warn(code, message);
    const isCancelled = () => ender !== undefined;
    const started = isCancelled() ? 'cancelled' : await startAgent(plan, command, gate.mayStart).catch(startFailure);
    if (started === 'cancelled') return finish(NO_PROCESS);
    if ('error' in started) return finish(NO_PROCESS, started.error);

    live = superviseProcess(started.child, {
      runId,
      ladder: command.ending,
      family: started.family,
      survivors: options.survivors ?? 'end',
      graceMs: options.survivorGraceMs ?? SURVIVOR_GRACE_MS,
      onData(bytes) {
        capture?.push(bytes);
        deliver(pipeline.push(bytes));
      },
      lowLatency: options.lowLatency ?? false,
      stderr,
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
      timeout = setDeadline(
        () => end({ reason: 'timed-out', message: `${message}, while ${summary.doing()}` }),
        timeoutMs,
      );
    }
    // Cancelled while it started: then it is told nothing any more.
    if (ender) return void agentProcess.end();
    const { stdin } = command;
    if (stdin.kind === 'text') agentProcess.send([stdin.text]);
    if (stdin.kind !== 'lines') closeInput();
    deliver(pipeline.start());
    for (const said of saidEarly.splice(0)) tellAgent(said);
    if (isInputClosed) closeInput();
  }

  /** The disk is full, say. */
  function startFailure(error: unknown): { error: ErrorFacts } {
    const why = error instanceof Error ? error.message : String(error);
    const message = error instanceof GlassboxError ? why : `${title} could not be started: ${why}`;
    return { error: { category: 'config', message } };
  }

  function finish(exit: Exit, spawnError?: ErrorFacts): Promise<Completion> {
    isGone = true;
    timeout?.cancel();
    alarms.stop();
    closing.stop();
    options.signal?.removeEventListener('abort', abort);
    const durationMs = Math.round(performance.now() - begunAt);
    const left = leftBy(summary);
    approvals.close();
    // An agent that never came to hear it did not repeat it; what was wanted of it is known all the same.
    const { prompt } = plan.command;
    if (prompt !== undefined && !wasAsked) publish(pipeline.emit({ type: 'user-message', text: prompt, ...ours() }));
    // Some agents tell how a turn ended only by ending; what is closed here was still open all the same.
    deliver(pipeline.end());
    if (!ender && exit.survivors.found.length > 0) warn('left-behind', leftText(title, exit.survivors.found));
    const completed = conclude({
      title,
      ender,
      interrupted,
      exit,
      spawnError,
      summary,
      left,
      notes: alarms.notes,
      durationMs,
    });
    const told = pipeline.emit({ type: 'run-end', ...completed, turn: completed.turns, source: 'synthetic' });
    publish(told);
    queue.end();
    for (const feed of taps) feed.end();
    return queue.finality.then(() => asTold(completed, told.at(-1)));
  }

  // From the agent to the readers.

  function prepare(draft: Draft): Draft {
    if (draft.type === 'turn-end') return withReason(draft, ender ?? interrupted);
    if (draft.type !== 'approval-request') return draft;
    const { guard } = options;
    const { redact: isOn, rules } = guard || {};
    const redact = (text: string) => (guard === false ? text : redactText(text, { redact: isOn, rules }));
    const isAsked = judge(policy, draft).decision === 'ask';
    const informed = addHostFacts(draft, { ...policy, redact, isAsked, alsoHere: options.alsoHere?.() });
    approvals.peek(informed);
    return informed;
  }

  function deliver({ events, send }: Output): void {
    if (send.length > 0 && live && !live.send(send)) warn('input-lost', `${title} no longer listens.`);
    publish(events);
    for (const event of events) react(event);
  }

  function publish(events: readonly AgentEvent[]): void {
    for (const event of events) {
      summary.see(event);
      wasAsked ||= event.type === 'user-message';
    }
    queue.push(events);
    for (const feed of taps) feed.push(events);
    if (queue.isFull()) hold(true);
  }

  function react(event: AgentEvent): void {
    if (event.type === 'approval-request') approvals.request(event);
    else if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') approvals.settle(event.id);
    else if (event.type === 'turn-end') {
      onTurnEnd();
      receiver.turnEnded();
    }
    closing.see(event);
    const excess = exceeds(event);
    if (excess) end(excess);
    alarms.see(event);
  }

  function emit(draft: Draft): void {
    deliver({ events: pipeline.emit(draft), send: [] });
  }

  function warn(code: string, message: string): void {
    emit({ type: 'warning', code, message, ...ours() });
  }

  /** Said by the run itself, not by the agent. */
  function ours() {
    return { turn: summary.facts().turns, source: 'synthetic' } as const;
  }

  function tap(options: { capacity?: number } = {}) {
    refuseUnknown('tap', options, { capacity: true });
    const { capacity = 256 } = options;
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
    if (!isAttended()) approvals.nobodyLeft();
  }

  // From the outside to the agent.

  function decide(id: string, answer: Answer, decider: Decider = HERE): boolean {
    receiver.admit(decider, 'answer');
    return approvals.decide(id, answer, decider);
  }

  function act(action: Action): boolean {
    const output = pipeline.act(action);
    if (output === 'unsupported') return false;
    deliver(output);
    return true;
  }

  function say(text: string, options: { attachments?: readonly string[] | undefined } = {}): void {
    refuseUnknown('say', options, { attachments: true });
    if (plan.command.mode === 'one-shot') {
      throw new GlassboxError(
        'unsupported-capability',
        `${title} takes no messages while it works. Wait for its end, then resume it; programs start it with followUp.`,
      );
    }
    if (isGone || ender || live?.listens() === false) {
      throw new GlassboxError(
        'conflict',
        `${title} no longer listens: it is about to end. Resume it then; programs start it with keepOpen.`,
      );
    }
    const said: Said = { text, attachments: giveFiles(options.attachments, agent, plan.command.cwd) };
    closing.said();
    if (live) tellAgent(said);
    else saidEarly.push(said);
  }

  function tellAgent(said: Said): void {
    if (!act({ type: 'say', ...said }))
      throw new GlassboxError('unsupported-capability', `${title} takes no further messages.`);
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
    if (!live || live.hasLeft()) return false;
    interrupted ??= why;
    if (act({ type: 'interrupt' })) return true;
    // One that takes no requests may still know the signal that a terminal would send.
    if (command.ending.some((rung) => rung.do === 'signal' && rung.signal === 'SIGINT')) live.signal('SIGINT');
    else end(why);
    return true;
  }

  /** The turn that is open now has ended. */
  function quiet(): Promise<void> {
    if (!summary.isTurnOpen()) return Promise.resolve();
    return new Promise((resolve) => {
      onTurnEnd = resolve;
    });
  }

  function cancel(why?: string): void {
    end({ reason: 'cancelled', ...(why !== undefined && { message: why }) });
  }

  function end(why: Ender): void {
    // A limit that is reached after the agent has left by itself changes nothing.
    if (isGone || (live?.hasLeft() && why.reason !== 'cancelled')) return;
    const at = performance.now();
    // The first reason wins; a cancellation in the same moment wins the tie.
    if (!ender || (why.reason === 'cancelled' && at - ender.at < 1)) ender = { ...why, at };
    alarms.stop();
    gate.letGo();
    void live?.end();
  }
}
