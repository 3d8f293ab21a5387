/**
 * The one keeper of promises. Writes down what one agent process does, whatever the wire does: what starts, starts once and ends once,
 * what is asked is settled once, and `end` leaves nothing open. What an agent may write by itself makes no promise (`Note`).
 */
import type { Denial, Draft, EventType, Loose, Payload, SessionFacts, Targets } from '../../event/index.js';
import type { Decision } from '../action.js';
import { describeGiven, type Said } from '../attachment.js';
import type { CommandRequest } from '../command.js';
import { INTERRUPTED } from '../fault.js';
import type { Json } from '../field.js';
import { type ToolTable, toolTable } from '../tool-table.js';
import { type Ask, createApprovals, type Shown, shownBy } from './approvals.js';
import type { Body } from './body.js';
import { createCalls, type OpenTool, type StartedTool, type ToolResult } from './calls.js';
import { createDraftWriter } from './draft-writer.js';
import { type BlockFacts, type BlockKind, createMessages, type MessageFacts } from './messages.js';
import { createOpenItems } from './open-items.js';

export type { Ask, Shown } from './approvals.js';
export type { Body } from './body.js';
export type { OpenTool, ToolResult } from './calls.js';
export type { BlockKind } from './messages.js';

/** Writes down what one process does; its drafts are fetched with `take`. */
export interface Chronicle {
  readonly sessionId: string | undefined;
  readonly inTurn: boolean;
  /** The turn that new events belong to, counted from 1. */
  readonly turn: number;
  write(note: Note, parent?: string): void;
  /**
   * The first call introduces the agent; a later one with another id is a change of session, with the same id news about it. An id
   * that comes only later, because the agent tells it only then, changes nothing.
   */
  startSession(id: string | undefined, facts?: Loose<SessionFacts>, reason?: Body<'session-change'>['reason']): void;
  /** For agents whose lines tell their session before they introduce it. True when it has become another one; `before` is what was asked for. */
  learnSessionId(id: string | undefined, reason: Body<'session-change'>['reason'], before?: string): boolean;
  /** The session is a copy of the one that was asked for, if a copy was asked for. */
  tellFork(request: Partial<CommandRequest>): void;
  /** Something said to the agent that its stream does not repeat. */
  say(said: Said): void;
  /** Nothing happens while a turn is open. */
  startTurn(): void;
  /** Opens a turn also while another one is open, for agents that may hold a result back. */
  startNextTurn(): void;
  /** The turn that a result ends: the one that it names, else the oldest that is open. Opens one, because a result proves that there was one. */
  turnToEnd(named?: number): number;
  /**
   * Closes what the turn left open, then the turn itself. Sub-agents in the background are let be.
   */
  endTurn(result: Body<'turn-end'>, turn?: number): void;
  startMessage(id: string, model?: string, parent?: string): void;
  /** For agents that add blocks to a message which has ended: they are told without starting or ending it again. */
  continueMessage(id: string, parent?: string): void;
  startThinking(messageId: string, index: number, parent?: string): void;
  addText(kind: BlockKind, messageId: string, index: number, text: string, parent?: string): void;
  /** `text` replaces the deltas; without it their sum is the whole. */
  endText(kind: BlockKind, messageId: string, index: number, text?: string, parent?: string, facts?: BlockFacts): void;
  /** Closes its blocks too. Nothing happens when the message is not open. */
  endMessage(id: string, facts?: MessageFacts): void;
  /** What its end will tell, whatever ends it. When it is whole, nothing of it is missing, and a block without its end is not cut off. */
  learnMessage(id: string, facts: MessageFacts, isWhole: boolean): void;
  /** Nothing more comes of it: what is open of it was cut off, unless it is whole. */
  cutMessage(id: string): void;
  /** An open message is over and never held: nothing of it is told as said, because the model says it anew at once. */
  retractMessage(id: string, why: Body<'message-retract'>['why']): void;
  /** What open messages of this speaker said so far no longer holds; it is told as cut off before. */
  retractMessages(parent: string | undefined, why: Body<'message-retract'>['why']): void;
  /** A block that has ended no longer holds. */
  retractBlock(messageId: string, index: number, why: Body<'message-retract'>['why']): void;
  /** Nothing happens when the call runs or has ended; with another message the id was given to another call. */
  startTool(id: string, tool: StartedTool, parent?: string): void;
  /** A call that is open. */
  tool(id: string): OpenTool | undefined;
  tools(): Iterable<OpenTool>;
  /** The first input counts. What it is about is told by the agent's table, unless it is told here. */
  inputTool(id: string, input: unknown, told?: Loose<{ summary?: string; targets?: Targets }>): void;
  /** News from a running tool; nothing happens when it is not open. */
  continueTool(news: ToolNews): void;
  /**
   * False when this tool ended before: the line repeats, or comes too late. An approval that it still waits for was settled by somebody
   * whose answer is not in the stream; how the call ended shows how.
   */
  endTool(id: string, result: ToolResult, parent?: string, shown?: Shown): boolean;
  startTask(task: Body<'task-start'>, parent?: string): void;
  /** Nothing happens when it is not open. */
  continueTask(news: Body<'task-progress'>): void;
  /** The agent says that it goes on without its turn. */
  keepTask(id: string): void;
  endTask(id: string, result: Omit<Body<'task-end'>, 'id'>): void;
  /** Whether a task is open, and its call. */
  task(id: string): Readonly<OpenTask> | undefined;
  hasTaskEnded(id: string): boolean;
  /** Ids of the tasks that go on without their turn. */
  backgroundTasks(): string[];
  startHook(hook: Body<'hook-start'>, parent?: string): void;
  /** Once. Some agents tell only the end. */
  endHook(end: Body<'hook-end'>, parent?: string): void;
  startCompaction(facts?: Body<'compaction-start'>, parent?: string): void;
  /** Some agents tell only the end; when it began is not invented. */
  endCompaction(facts?: Body<'compaction-end'>, parent?: string): void;
  /** The end of one that goes on was not told: nobody knows whether there is a summary. */
  cutCompaction(): void;
  readonly isCompacting: boolean;
  /** `answer` sends what the ask replies. */
  ask(id: string, ask: Ask, answer: (body: Json) => void, parent?: string): void;
  isAsking(id: string): boolean;
  /** True while somebody is asked something. */
  isWaiting(): boolean;
  /** True while somebody is asked about this call. */
  isAsked(toolId: string): boolean;
  /** Somebody answered through us, and the agent is told; gives the question, or nothing when there is none to answer. */
  decide(decision: Decision): Ask | undefined;
  /** What the stream tells about an answer that somebody else gave. */
  resolve(resolution: Body<'approval-resolve'>): void;
  withdraw(id: string, why: Body<'approval-withdraw'>['why']): void;
  /** Nobody will answer any more: every agent that asks is told so. */
  cancelAsks(): void;
  /** Somebody else has answered. True when the call that waits is open: its end will show how. */
  leaveAsk(id: string): boolean;
  /** The stream is over: closes everything. `result` says what is known about a turn that is still open. */
  end(result?: Body<'turn-end'>): void;
  /** The drafts written since the last call. */
  take(): Draft[];
}

/** Events by which something starts or ends: these are the keeper's own, so that no agent can promise what it does not keep. */
type Kept =
  | Extract<
      EventType,
      `${'turn' | 'message' | 'text' | 'thinking' | 'tool' | 'task' | 'hook' | 'compaction'}-${string}`
    >
  | Extract<EventType, 'session-start' | 'session-change' | `approval-${string}` | 'run-end' | 'gap' | 'decode-error'>;

/** An event that promises nothing. */
export type Note = Loose<Exclude<Payload, { type: Kept }>>;

/** What may come between the start and the end of a tool call. */
export type ToolNews = Loose<Extract<Payload, { type: 'tool-input-delta' | 'tool-output-delta' | 'tool-progress' }>>;

interface OpenTask {
  readonly toolId: string | undefined;
  readonly parent: string | undefined;
  isInBackground: boolean;
}

interface Opened {
  readonly parent: string | undefined;
  readonly turn: number;
}

/** A chronicle of one process; `table` tells what its tools are. */
export function createChronicle(table: ToolTable = toolTable({})): Chronicle {
  const writer = createDraftWriter();
  const messages = createMessages(writer);
  const calls = createCalls(writer, table);
  const approvals = createApprovals(writer, calls);
  const tasks = createOpenItems<OpenTask>();
  const hooks = createOpenItems<Body<'hook-start'> & { parent: string | undefined }>();
  /** Where a compaction goes on. */
  let compaction: { parent: string | undefined } | undefined;
  let hasSession = false;
  /** Numbers of the turns that are open. */
  const turns: number[] = [];

  const write = (payload: Loose<Payload>, parent?: string): void => writer.write(payload, { parent });

  function startNextTurn(): void {
    writer.turn += 1;
    turns.push(writer.turn);
    write({ type: 'turn-start' });
  }

  function startTurn(): void {
    if (turns.length === 0) startNextTurn();
  }

  function turnToEnd(named?: number): number {
    startTurn();
    const [oldest = writer.turn] = turns;
    return named !== undefined && turns.includes(named) ? named : oldest;
  }

  function endTool(id: string, result: ToolResult, parent?: string, shown = shownBy(result)): boolean {
    if (calls.hasEnded(id) && !calls.open.has(id)) return false;
    if (approvals.open.size > 0) approvals.conclude(id, calls.open.get(id), shown);
    return calls.end(id, result, parent);
  }

  function retractMessage(messageId: string, why: Body<'message-retract'>['why']): void {
    const message = messages.open.get(messageId);
    if (!message) return;
    messages.forget(message);
    writer.write({ type: 'message-retract', messageId, why }, message);
  }

  function startCompaction(facts: Body<'compaction-start'> = {}, parent?: string): void {
    if (compaction) return;
    compaction = { parent };
    write({ type: 'compaction-start', ...facts }, parent);
  }

  function endCompaction(facts: Body<'compaction-end'> = {}, parent?: string): void {
    compaction = undefined;
    write({ type: 'compaction-end', ...facts }, parent);
  }

  function cutCompaction(): void {
    const { parent } = compaction ?? {};
    if (compaction) writer.concluding(() => endCompaction({ error: 'cut off' }, parent));
  }

  function startHook(hook: Body<'hook-start'>, parent?: string): void {
    if (hooks.start(hook.id, { ...hook, parent })) write({ type: 'hook-start', ...hook }, parent);
  }

  function closeWork(
    status: 'cancelled' | 'unknown',
    why: Body<'approval-withdraw'>['why'],
    isOver: (item: Opened) => boolean,
  ): void {
    writer.concluding(() => {
      for (const message of messages.open.values()) if (isOver(message)) messages.cut(message);
      for (const tool of calls.open.values()) if (isOver(tool)) endTool(tool.id, { status });
      for (const [id, approval] of approvals.open) if (isOver(approval)) approvals.withdraw(id, why);
    });
  }

  /** Refusals that only the end of the turn lists, where the call was told as failed. */
  function denyFailed(denials: readonly Denial[] = []): void {
    for (const { toolId, toolName } of denials) {
      if (toolId === undefined || calls.endOf(toolId) !== 'failed') continue;
      calls.correct(toolId, 'denied');
      write({ type: 'permission-deny', toolName, toolId });
    }
  }

  function openSpeakers(): Set<string | undefined> {
    const speakers = new Set<string | undefined>();
    for (const { toolId, isInBackground } of tasks.open.values()) if (isInBackground) speakers.add(toolId);
    speakers.delete(undefined);
    return speakers;
  }

  const backgroundTasks = (): string[] => [...tasks.open].flatMap(([id, task]) => (task.isInBackground ? [id] : []));

  function writeTurnEnd(result: Body<'turn-end'>, turn: number): void {
    // What was said before an interrupt is in its messages; the answer never came.
    const cut = result.outcome === 'interrupted' && { text: undefined, error: result.error ?? INTERRUPTED };
    const openTasks = tasks.open.size > 0 ? [...tasks.open.keys()] : undefined;
    writer.writeWith({ type: 'turn-end' }, cut || openTasks ? { ...result, ...cut, openTasks } : result, { turn });
  }

  return {
    get sessionId() {
      return writer.sessionId;
    },
    get turn() {
      return writer.turn;
    },
    get inTurn() {
      return turns.length > 0;
    },
    write,
    startSession(id, facts = {}, reason = 'unknown') {
      const previousId = writer.sessionId;
      writer.sessionId = id ?? previousId;
      if (!hasSession) write({ type: 'session-start', ...facts });
      else if (id !== undefined && previousId !== undefined && id !== previousId)
        write({ type: 'session-change', previousId, newId: id, reason });
      else if (Object.values(facts).some((fact) => fact !== undefined)) write({ type: 'session-update', ...facts });
      hasSession = true;
    },
    learnSessionId(id, reason, before) {
      if (id === undefined || id === writer.sessionId) return false;
      const previousId = writer.sessionId ?? before;
      writer.sessionId = id;
      if (previousId === undefined || previousId === id) return false;
      write({ type: 'session-change', previousId, newId: id, reason });
      return true;
    },
    tellFork({ fork, resume, resumeAt }) {
      const { sessionId } = writer;
      if (!(fork || resumeAt !== undefined) || sessionId === undefined || resume === sessionId) return;
      const previousId = resume === 'latest' ? undefined : resume;
      write({ type: 'session-change', previousId, newId: sessionId, reason: 'fork' });
    },
    say({ text, attachments }) {
      const turn = turns.length > 0 ? writer.turn : writer.turn + 1;
      const said = { type: 'user-message', text, attachments: describeGiven(attachments) } as const;
      writer.write(said, { turn, source: 'synthetic' });
    },
    startTurn,
    startNextTurn,
    turnToEnd,
    endTurn(result, turn = turnToEnd()) {
      turns.splice(turns.indexOf(turn), 1);
      const interrupted = result.outcome === 'interrupted';
      const goingOn = openSpeakers();
      const isOver = (item: Opened) => !turns.includes(item.turn) && !goingOn.has(item.parent);
      for (const [id, approval] of approvals.open)
        if (isOver(approval)) approvals.concludeUnseen(id, result.denials, interrupted);
      denyFailed(result.denials);
      closeWork(interrupted ? 'cancelled' : 'unknown', interrupted ? 'interrupt' : 'agent', isOver);
      writeTurnEnd(result, turn);
    },
    startMessage: messages.start,
    continueMessage: messages.startLate,
    startThinking: messages.startThinking,
    addText: messages.addText,
    endText: messages.endText,
    learnMessage: messages.learn,
    endMessage: messages.end,
    cutMessage(id) {
      const message = messages.open.get(id);
      if (message) messages.cut(message);
    },
    retractMessage,
    retractMessages(parent, why) {
      for (const message of messages.open.values()) {
        if (message.parent !== parent) continue;
        writer.concluding(() => messages.cut(message));
        writer.write({ type: 'message-retract', messageId: message.id, why }, message);
      }
    },
    retractBlock: (messageId, index, why) => write({ type: 'message-retract', messageId, index, why }),
    startTool: calls.start,
    tool: (id) => calls.open.get(id),
    tools: () => calls.open.values(),
    inputTool: calls.input,
    continueTool(news) {
      const tool = calls.open.get(news.id);
      if (tool && !tool.isHidden) write(news, tool.parent);
    },
    endTool,
    startTask(task, parent) {
      const isInBackground = task.background === true;
      const known = tasks.open.get(task.id);
      if (known) known.isInBackground ||= isInBackground;
      else if (tasks.start(task.id, { toolId: task.toolId, isInBackground, parent }))
        write({ type: 'task-start', ...task }, parent);
    },
    continueTask(news) {
      const task = tasks.open.get(news.id);
      if (!task) return;
      task.isInBackground ||= news.background === true;
      write({ type: 'task-progress', ...news }, task.parent);
    },
    keepTask(id) {
      const task = tasks.open.get(id);
      if (task) task.isInBackground = true;
    },
    endTask(id, result) {
      const task = tasks.end(id);
      if (task) write({ type: 'task-end', id, ...result }, task.parent);
    },
    task: (id) => tasks.open.get(id),
    hasTaskEnded: tasks.hasEnded,
    backgroundTasks,
    startHook,
    endHook(end, parent) {
      if (hooks.hasEnded(end.id)) return;
      hooks.start(end.id, { ...end, parent });
      hooks.end(end.id);
      write({ type: 'hook-end', ...end }, parent);
    },
    startCompaction,
    endCompaction,
    cutCompaction,
    get isCompacting() {
      return compaction !== undefined;
    },
    ask: approvals.ask,
    isAsking: (id) => approvals.open.has(id),
    isWaiting: () => approvals.open.size > 0,
    isAsked: (toolId) => [...approvals.open.values()].some(({ ask }) => ask.request.toolId === toolId),
    decide: approvals.decide,
    resolve: approvals.resolve,
    withdraw: approvals.withdraw,
    cancelAsks: approvals.cancel,
    leaveAsk: approvals.leave,
    end(result = { outcome: 'unknown' }) {
      for (const id of approvals.open.keys()) approvals.concludeUnclear(id);
      closeWork('unknown', 'exit', () => true);
      cutCompaction();
      writer.concluding(() => {
        for (const [id, { parent, ...hook }] of hooks.open) {
          hooks.end(id);
          write({ type: 'hook-end', ...hook, outcome: 'unknown' }, parent);
        }
        for (const [id, { parent, toolId }] of tasks.open) {
          tasks.end(id);
          write({ type: 'task-end', id, toolId, status: 'unknown' }, parent);
        }
        for (const turn of turns.splice(0)) writeTurnEnd(result, turn);
      });
    },
    take: writer.take,
  };
}
