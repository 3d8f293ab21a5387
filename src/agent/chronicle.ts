/**
 * Writes down what one agent process does and keeps the promises of the event union, whatever the wire does: a message starts
 * once, a tool that started ends once, an approval is settled once, a turn that began ends, and `end` leaves nothing open.
 */
import type { Draft, EventType, Payload, SessionFacts, ToolStatus } from '../event/index.js';
import { createRecent } from './recent.js';
import { createScribe } from './scribe.js';

export interface Chronicle {
  readonly sessionId: string | undefined;
  readonly inTurn: boolean;
  write(payload: Payload, parent?: string): void;
  /**
   * The first call introduces the agent; a later one with another id is a change of session, with the same id news about it. An id
   * that comes only later, because the agent tells it only then, changes nothing.
   */
  startSession(id: string | undefined, facts?: SessionFacts, reason?: Body<'session-change'>['reason']): void;
  /** Something said to the agent that its stream does not repeat. */
  say(text: string): void;
  startTurn(origin?: string): void;
  /**
   * Closes what the turn left open, then the turn itself; sub-agents in the background are let be. Without a turn it opens one,
   * because a result proves that there was one.
   */
  endTurn(result: Body<'turn-end'>): void;
  startMessage(id: string, model?: string, parent?: string): void;
  addText(kind: BlockKind, messageId: string, index: number, text: string, parent?: string): void;
  /** `text` replaces the deltas; without it their sum is the whole. */
  endText(kind: BlockKind, messageId: string, index: number, text?: string, parent?: string): void;
  /** Closes its blocks too. Nothing happens when the message is not open. */
  endMessage(id: string, facts?: Omit<Body<'message-end'>, 'messageId'>): void;
  /** What open messages of this speaker said so far no longer holds, because the model will say it anew. */
  retractMessages(parent: string | undefined, why: Body<'message-retract'>['why']): void;
  startTool(id: string, tool: Omit<Body<'tool-start'>, 'id'>, parent?: string): void;
  isToolOpen(id: string): boolean;
  /** The first input counts. */
  inputTool(id: string, input: unknown, summary: string): void;
  /** News from a running tool; nothing happens when it is not open. */
  continueTool(news: ToolNews): void;
  /**
   * Nothing happens when this tool ended before: the line repeats, or comes too late. An approval that it still waits for was settled
   * by somebody whose answer is not in the stream; how the call ended shows how.
   */
  endTool(id: string, result: Omit<Body<'tool-end'>, 'id'>, parent?: string): void;
  startTask(task: Body<'task-start'>, parent?: string): void;
  endTask(id: string, result: Omit<Body<'task-end'>, 'id'>): void;
  ask(request: Body<'approval-request'>, parent?: string): void;
  isAsking(id: string): boolean;
  /** True while somebody is asked something. */
  isWaiting(): boolean;
  resolve(resolution: Body<'approval-resolve'>): void;
  withdraw(id: string, why: Body<'approval-withdraw'>['why']): void;
  /** The stream is over: closes everything. `result` says what is known about a turn that is still open. */
  end(result?: Body<'turn-end'>): void;
  /** The drafts written since the last call. */
  take(): Draft[];
}

export type ToolNews = Extract<Payload, { type: 'tool-input-delta' | 'tool-output-delta' | 'tool-progress' }>;

export type BlockKind = 'text' | 'thinking';

export type Body<Type extends EventType> = Omit<Extract<Payload, { type: Type }>, 'type'>;

interface OpenMessage {
  parent: string | undefined;
  /** A block that has ended stays as `undefined`, so that a repeated line does not say it twice. */
  blocks: Map<number, OpenBlock | undefined>;
}

interface OpenBlock {
  kind: BlockKind;
  parts: string[];
}

interface OpenTool {
  name: string;
  parent: string | undefined;
  hasInput: boolean;
}

interface OpenTask {
  /** The call under which its sub-agent goes on speaking when the turn is over; absent for work in the foreground. */
  speaker: string | undefined;
  parent: string | undefined;
}

interface OpenApproval {
  kind: Body<'approval-request'>['kind'];
  toolId: string | undefined;
  parent: string | undefined;
}

export function createChronicle(): Chronicle {
  const scribe = createScribe();
  const messages = new Map<string, OpenMessage>();
  const tools = new Map<string, OpenTool>();
  const tasks = new Map<string, OpenTask>();
  const approvals = new Map<string, OpenApproval>();
  const ended = createRecent(1024);
  let hasSession = false;
  let inTurn = false;
  /** What glassbox concludes by itself is marked as such. */
  let source: 'synthetic' | undefined;

  function write(payload: Payload, parent?: string): void {
    scribe.write(payload, { parent, source });
  }

  function concluding(conclude: () => void): void {
    const before = source;
    source = 'synthetic';
    conclude();
    source = before;
  }

  /** The open message, opened if need be; absent when it has ended, because then the line repeats or comes too late. */
  function startMessage(id: string, model?: string, parent?: string): OpenMessage | undefined {
    const open = messages.get(id);
    if (open || ended.has(`message ${id}`)) return open;
    const message: OpenMessage = { parent, blocks: new Map() };
    messages.set(id, message);
    write({ type: 'message-start', messageId: id, model }, parent);
    return message;
  }

  function openBlock(message: OpenMessage, kind: BlockKind, messageId: string, index: number): OpenBlock | undefined {
    if (message.blocks.has(index)) return message.blocks.get(index);
    const block: OpenBlock = { kind, parts: [] };
    message.blocks.set(index, block);
    if (kind === 'thinking') write({ type: 'thinking-start', messageId, index }, message.parent);
    return block;
  }

  function endText(kind: BlockKind, messageId: string, index: number, text?: string, parent?: string): void {
    const message = startMessage(messageId, undefined, parent);
    const block = message && openBlock(message, kind, messageId, index);
    if (!block) return;
    message.blocks.set(index, undefined);
    write({ type: `${block.kind}-end`, messageId, index, text: text ?? block.parts.join('') }, message.parent);
  }

  function endMessage(id: string, facts: Omit<Body<'message-end'>, 'messageId'> = {}): void {
    const message = messages.get(id);
    if (!message) return;
    for (const [index, block] of message.blocks) if (block) endText(block.kind, id, index);
    messages.delete(id);
    ended.add(`message ${id}`);
    write({ type: 'message-end', messageId: id, ...facts }, message.parent);
  }

  function cutMessage(messageId: string, { blocks, parent }: OpenMessage): void {
    for (const [index, block] of blocks) {
      if (!block) continue;
      blocks.set(index, undefined);
      write({ type: `${block.kind}-end`, messageId, index, text: block.parts.join(''), partial: true }, parent);
    }
    endMessage(messageId);
  }

  function endTool(id: string, result: Omit<Body<'tool-end'>, 'id'>, parent?: string): void {
    const tool = tools.get(id);
    if (!tool && ended.has(`tool ${id}`)) return;
    if (approvals.size > 0) concludeApprovals(id, result.status);
    tools.delete(id);
    ended.add(`tool ${id}`);
    write({ type: 'tool-end', id, name: tool?.name, ...result }, tool ? tool.parent : parent);
  }

  function concludeApprovals(toolId: string, status: ToolStatus): void {
    if (status === 'cancelled' || status === 'unknown') return;
    for (const [id, approval] of approvals) {
      if (approval.toolId !== toolId) continue;
      const decision = status === 'denied' ? 'deny' : approval.kind === 'question' ? 'answer' : 'allow';
      concluding(() => settle(id, { type: 'approval-resolve', id, decision, by: 'person' }));
    }
  }

  function withdraw(id: string, why: Body<'approval-withdraw'>['why']): void {
    settle(id, { type: 'approval-withdraw', id, why });
  }

  function settle(id: string, payload: Payload): void {
    const approval = approvals.get(id);
    if (!approval) return;
    write(payload, approval.parent);
    approvals.delete(id);
    ended.add(`approval ${id}`);
  }

  function startTurn(origin?: string): void {
    if (inTurn) return;
    inTurn = true;
    scribe.turn += 1;
    write({ type: 'turn-start', origin });
  }

  function closeWork(
    toolStatus: 'cancelled' | 'unknown',
    why: Body<'approval-withdraw'>['why'],
    goingOn: ReadonlySet<string | undefined> = new Set(),
  ): void {
    concluding(() => {
      for (const [id, message] of messages) if (!goingOn.has(message.parent)) cutMessage(id, message);
      for (const [id, { parent }] of tools) if (!goingOn.has(parent)) endTool(id, { status: toolStatus });
      for (const [id, { parent }] of approvals) if (!goingOn.has(parent)) withdraw(id, why);
    });
  }

  function speakersGoingOn(): Set<string | undefined> {
    const speakers = new Set([...tasks.values()].map(({ speaker }) => speaker));
    speakers.delete(undefined);
    return speakers;
  }

  function closeTurn(result: Body<'turn-end'>): void {
    inTurn = false;
    write({ type: 'turn-end', ...result, openTasks: tasks.size > 0 ? [...tasks.keys()] : undefined });
  }

  return {
    get sessionId() {
      return scribe.sessionId;
    },
    get inTurn() {
      return inTurn;
    },
    write,
    startSession(id, facts = {}, reason = 'unknown') {
      const previousId = scribe.sessionId;
      scribe.sessionId = id ?? previousId;
      if (!hasSession) write({ type: 'session-start', ...facts });
      else if (id !== undefined && previousId !== undefined && id !== previousId)
        write({ type: 'session-change', previousId, newId: id, reason });
      else if (Object.values(facts).some((fact) => fact !== undefined)) write({ type: 'session-update', ...facts });
      hasSession = true;
    },
    say(text) {
      const turn = inTurn ? scribe.turn : scribe.turn + 1;
      scribe.write({ type: 'user-message', text }, { turn, source: 'synthetic' });
    },
    startTurn,
    endTurn(result) {
      startTurn();
      const interrupted = result.outcome === 'interrupted';
      closeWork(interrupted ? 'cancelled' : 'unknown', interrupted ? 'interrupt' : 'agent', speakersGoingOn());
      closeTurn(result);
    },
    startMessage,
    addText(kind, messageId, index, text, parent) {
      const message = startMessage(messageId, undefined, parent);
      const block = message && openBlock(message, kind, messageId, index);
      if (!block) return;
      block.parts.push(text);
      write({ type: `${block.kind}-delta`, messageId, index, text }, message.parent);
    },
    endText,
    endMessage,
    retractMessages(parent, why) {
      for (const [messageId, message] of messages) {
        if (message.parent !== parent) continue;
        concluding(() => cutMessage(messageId, message));
        write({ type: 'message-retract', messageId, why }, parent);
      }
    },
    startTool(id, tool, parent) {
      if (tools.has(id) || ended.has(`tool ${id}`)) return;
      tools.set(id, { name: tool.name, parent, hasInput: false });
      write({ type: 'tool-start', id, ...tool }, parent);
    },
    isToolOpen: (id) => tools.has(id),
    inputTool(id, input, summary) {
      const tool = tools.get(id);
      if (!tool || tool.hasInput) return;
      tool.hasInput = true;
      write({ type: 'tool-input-end', id, input, summary }, tool.parent);
    },
    continueTool(news) {
      const tool = tools.get(news.id);
      if (tool) write(news, tool.parent);
    },
    endTool,
    startTask(task, parent) {
      if (tasks.has(task.id) || ended.has(`task ${task.id}`)) return;
      tasks.set(task.id, { speaker: task.background ? task.toolId : undefined, parent });
      write({ type: 'task-start', ...task }, parent);
    },
    endTask(id, result) {
      const task = tasks.get(id);
      if (!task) return;
      write({ type: 'task-end', id, ...result }, task.parent);
      tasks.delete(id);
      ended.add(`task ${id}`);
    },
    ask(request, parent) {
      if (approvals.has(request.id) || ended.has(`approval ${request.id}`)) return;
      approvals.set(request.id, { kind: request.kind, toolId: request.toolId, parent });
      write({ type: 'approval-request', ...request }, parent);
    },
    isAsking: (id) => approvals.has(id),
    isWaiting: () => approvals.size > 0,
    resolve(resolution) {
      settle(resolution.id, { type: 'approval-resolve', ...resolution });
    },
    withdraw,
    end(result = { outcome: 'unknown' }) {
      closeWork('unknown', 'exit');
      concluding(() => {
        for (const [id, { parent }] of tasks) write({ type: 'task-end', id, status: 'unknown' }, parent);
        tasks.clear();
        if (inTurn) closeTurn(result);
      });
    },
    take: scribe.take,
  };
}
