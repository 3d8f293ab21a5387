/** Questions to a person: each is asked once and settled once, by an answer, by its withdrawal, or by what the stream shows. */
import type { Denial, ToolStatus } from '../../event/index.js';
import type { Decision } from '../action.js';
import { resolutionOf } from '../decision.js';
import type { Json } from '../field.js';
import type { Body } from './body.js';
import type { Calls, OpenTool } from './calls.js';
import type { DraftWriter } from './draft-writer.js';
import { createOpenItems } from './open-items.js';

/** A question as an agent's folder reads it, with the answers to it in the agent's own words. */
export interface Ask {
  readonly request: Omit<Body<'approval-request'>, 'id'>;
  reply(decision: Decision): Json;
  /** The answer when the turn is interrupted before anybody decided. */
  readonly cancelled?: Json;
  /** The MCP server that asks; how its call ends shows that it was answered. */
  readonly server?: string | undefined;
}

/** What the end of a call shows about an answer that somebody else gave. */
export interface Shown {
  /** `unclear` when only the refusals that the turn lists at its end can tell; `waiting` when it may still be answered. */
  decision: 'allow' | 'deny' | 'unknown' | 'unclear' | 'waiting';
  /** Why it was denied, or what was answered, where no tool card shows it. */
  message?: string | undefined;
  answers?: Json | undefined;
  /** What decided without asking anybody. */
  rule?: string | undefined;
}

type Why = Body<'approval-withdraw'>['why'];

interface Approval {
  readonly ask: Ask;
  readonly parent: string | undefined;
  readonly turn: number;
  /** Absent once somebody else has answered. */
  answer: ((body: Json) => void) | undefined;
  unclear: Shown | undefined;
}

export interface Approvals {
  readonly open: ReadonlyMap<string, Approval>;
  ask(id: string, ask: Ask, answer: (body: Json) => void, parent?: string): void;
  /** The question that was open; absent when there was none to answer. */
  decide(decision: Decision): Ask | undefined;
  resolve(resolution: Body<'approval-resolve'>): void;
  withdraw(id: string, why: Why): void;
  /** Answers whoever asks that nobody will. */
  cancel(): void;
  /** Somebody else has answered, and nobody can any more. True when the call that waits is open: its end will show how. */
  leave(id: string): boolean;
  /** A call ended, which shows how it was answered. */
  conclude(toolId: string, tool: OpenTool | undefined, shown: Shown): void;
  /** Settles what only the refusals of a turn, which are all known now, could tell. */
  concludeUnclear(id: string, denials?: readonly Denial[]): void;
  /** The same, and what no call shows at all: nobody waits for it any more. A turn that was interrupted withdraws what it asked by itself. */
  concludeUnseen(id: string, denials: readonly Denial[] | undefined, isInterrupted: boolean): void;
}

export function createApprovals(writer: DraftWriter, calls: Calls): Approvals {
  const approvals = createOpenItems<Approval>();

  function mark({ ask: { request } }: Approval, decision: 'asked' | 'allow' | 'deny'): void {
    for (const toolId of callsOf(request)) {
      const tool = calls.open.get(toolId);
      if (tool) tool.decision = decision;
    }
  }

  function resolve(resolution: Body<'approval-resolve'>): void {
    const approval = approvals.end(resolution.id);
    if (!approval) return;
    if (resolution.decision !== 'unknown') mark(approval, resolution.decision === 'deny' ? 'deny' : 'allow');
    writer.write({ type: 'approval-resolve', ...resolution }, { parent: approval.parent });
  }

  /** Nothing is concluded that the stream does not show, least of all that it was a person. */
  function conclude(
    id: string,
    decision: 'allow' | 'deny' | 'unknown',
    { message, answers, rule }: Partial<Shown>,
  ): void {
    const kind = approvals.open.get(id)?.ask.request.kind;
    // A form may be declined and its call go on.
    const told = kind === 'elicitation' ? 'unknown' : decision;
    const said = told === 'allow' && kind === 'question' ? 'answer' : told;
    const words = said === 'deny' || (said === 'answer' && !answers) ? message : undefined;
    const by = rule === undefined ? 'unknown' : 'rule';
    writer.concluding(() => resolve({ id, decision: said, by, rule, message: words, answers }));
  }

  function concludeUnclear(id: string, denials: readonly Denial[] = []): void {
    const { unclear, ask } = approvals.open.get(id) ?? {};
    if (!unclear) return;
    const isDenied = denials.some(({ toolId }) => toolId === ask?.request.toolId);
    conclude(id, isDenied ? 'deny' : 'unknown', unclear);
  }

  function withdraw(id: string, why: Why): void {
    const approval = approvals.end(id);
    if (approval) writer.write({ type: 'approval-withdraw', id, why }, { parent: approval.parent });
  }

  return {
    open: approvals.open,
    ask(id, ask, answer, parent) {
      const approval: Approval = { ask, parent, turn: writer.turn, answer, unclear: undefined };
      if (!approvals.start(id, approval)) return;
      mark(approval, 'asked');
      writer.writeWith({ type: 'approval-request', id }, ask.request, { parent });
    },
    decide(decision) {
      const { ask, answer } = approvals.open.get(decision.id) ?? {};
      if (!ask || !answer) return undefined;
      answer(ask.reply(decision));
      resolve(resolutionOf(decision, ask.request));
      return ask;
    },
    resolve,
    withdraw,
    cancel() {
      for (const [id, { ask, answer }] of approvals.open) {
        if (ask.cancelled !== undefined) answer?.(ask.cancelled);
        withdraw(id, 'interrupt');
      }
    },
    leave(id) {
      const approval = approvals.open.get(id);
      if (approval) approval.answer = undefined;
      return calls.open.has(approval?.ask.request.toolId ?? '');
    },
    conclude(toolId, tool, shown) {
      if (shown.decision === 'waiting') return;
      for (const [id, approval] of approvals.open) {
        const { request, server } = approval.ask;
        // What a server was told is between it and its host.
        if (server !== undefined) {
          if (server === tool?.mcp?.server) conclude(id, 'unknown', {});
        } else if (!callsOf(request).includes(toolId) || request.kind === 'hook') continue;
        // One answer was for all of them: another call may show it.
        else if (request.calls && shown.decision === 'unknown') continue;
        else if (shown.decision === 'unclear') approval.unclear = shown;
        else conclude(id, shown.decision, shown);
      }
    },
    concludeUnclear,
    concludeUnseen(id, denials, isInterrupted) {
      concludeUnclear(id, denials);
      const { request, server } = approvals.open.get(id)?.ask ?? {};
      if (!request) return;
      const isAside = request.kind === 'hook' || server !== undefined;
      if (isAside || (request.toolId === undefined && !isInterrupted)) conclude(id, 'unknown', {});
    },
  };
}

/** The calls that it is about. */
function callsOf({ toolId, calls }: Ask['request']): string[] {
  if (!calls) return toolId === undefined ? [] : [toolId];
  return [toolId, ...calls.map((call) => call.toolId)].filter((id) => id !== undefined);
}

/** A call that ran was allowed, whoever did it; one that failed without an exit code may never have run. */
export function shownBy({ status, exitCode }: { status: ToolStatus; exitCode?: number | undefined }): Shown {
  if (status === 'cancelled' || status === 'unknown') return { decision: 'waiting' };
  if (status === 'denied') return { decision: 'deny' };
  return { decision: status === 'ok' || exitCode !== undefined ? 'allow' : 'unknown' };
}
