/** From the events of a run to envelopes: kinds, channels and facets, metadata only. */

import type { AgentEvent, EventOf } from '../event/index.js';
import { type OptionNames, refuseUnknown } from '../event/option.js';
import { bound, utf8Length } from './bound.js';
import type { Envelope, ToolFacet } from './envelope.js';
import { sessionFacet, toolFacet } from './facet.js';
import { type OutcomeContext, outcomeOf } from './outcome.js';

export interface Projection {
  /** Before anything else. */
  start(): Envelope[];
  project(event: AgentEvent): Envelope[];
}

export interface ProjectionOptions extends OutcomeContext {
  agentKind: string;
  externalSandbox: boolean;
}

const PROJECTION_NAMES: OptionNames<ProjectionOptions> = {
  agentKind: true,
  externalSandbox: true,
  timeoutMs: true,
  selector: true,
};

const DANGEROUS = 'DANGEROUS: external sandbox exec policy enabled (agent_api.exec.external_sandbox.v1=true)';
const NO_HANDLE = 'session handle omitted: id exceeds 1024 bytes';

type Body = Omit<Envelope, 'agent_kind'>;

/** Told by its name alone. */
// biome-ignore format: to be read at one glance
type Plain =
  | 'session-change' | 'session-update' | 'message-retract' | 'tool-progress' | 'file-change' | 'todo-update'
  | 'plan-mode' | 'task-start' | 'task-progress' | 'task-end' | 'retry' | 'rate-limit' | 'compaction-start'
  | 'compaction-end' | 'hook-start' | 'hook-end' | 'usage-update';

/** Events of a run → envelopes. */
export function createProjection(options: ProjectionOptions): Projection {
  refuseUnknown('createProjection', options, PROJECTION_NAMES);
  const { agentKind, externalSandbox } = options;
  /** Names of the tools that are open, by id. */
  const tools = new Map<string, string>();
  /** Blocks whose text was told word by word: their end only repeats it. */
  const told = new Set<string>();
  let hasHandle = false;

  const seal = (bodies: readonly Body[]): Envelope[] =>
    bodies.flatMap((body) => bound({ agent_kind: agentKind, ...body }));

  return {
    start: () => seal(externalSandbox ? [status(DANGEROUS)] : []),
    project: (event) => seal(withHandle(event, bodiesOf(event))),
  };

  /** The session's handle goes once, with the first status that can carry it or with one of its own. */
  function withHandle(event: AgentEvent, bodies: Body[]): Body[] {
    if (hasHandle || !event.sessionId?.trim()) return bodies;
    hasHandle = true;
    const data = sessionFacet(event.sessionId);
    if (!data) return [status(NO_HANDLE), ...bodies];
    const [first, ...rest] = bodies;
    if (first?.kind === 'Status' && first.data === undefined) return [{ ...first, data }, ...rest];
    return [{ ...status('session handle'), data }, ...bodies];
  }

  function bodiesOf(event: AgentEvent): Body[] {
    switch (event.type) {
      // Said by others already, or not worth an envelope.
      case 'turn-start':
      case 'message-start':
      case 'message-end':
      case 'thinking-delta':
      case 'thinking-end':
      case 'tool-input-end':
        return [];
      case 'session-start':
        return [status('system init')];
      case 'text-delta':
        told.add(blockOf(event));
        return textOutput(event);
      case 'text-end':
        return told.delete(blockOf(event)) ? [] : textOutput(event);
      case 'tool-start':
      case 'tool-input-delta':
      case 'tool-output-delta':
      case 'tool-end':
        return [toolBody(event)];
      case 'user-message':
        return [{ kind: 'Status', channel: 'status' }];
      case 'thinking-start':
        return [status('thinking')];
      case 'approval-request':
        return [{ ...status('approval requested'), data: approvalFacet(event) }];
      case 'approval-resolve':
        return [status('approval resolved')];
      case 'approval-withdraw':
        return [status('approval withdrawn')];
      case 'permission-deny':
        return [status('permission denied')];
      case 'turn-end':
        return turnBody(event);
      case 'status':
        return [status(`system ${event.code}`)];
      case 'warning':
        // The universal API has its own words for this one, and only one.
        return externalSandbox && event.code === 'permission-bypass' ? [] : [status(event.message)];
      case 'gap':
        return [status(`events ${event.from} to ${event.to} were lost`)];
      case 'agent-error':
        return [fault(event.message)];
      case 'decode-error':
        return event.count === undefined
          ? [fault(`line ${event.line} could not be read (${event.code}, ${event.bytes} bytes)`)]
          : [
              fault(
                `${event.count} lines from line ${event.line} on could not be read (${event.code}, ${event.bytes} bytes)`,
              ),
            ];
      case 'run-end':
        return lastWord(event);
      case 'unknown':
        return event.field === undefined ? [{ kind: 'Unknown' }] : [];
      default:
        event satisfies EventOf<Plain>;
        return [status(`system ${event.type}`)];
    }
  }

  function toolBody(event: EventOf<'tool-start' | 'tool-input-delta' | 'tool-output-delta' | 'tool-end'>): Body {
    const { id } = event;
    if (event.type === 'tool-start') tools.set(id, event.name);
    const tool_name = (event.type === 'tool-end' ? event.name : undefined) ?? tools.get(id) ?? null;
    if (event.type === 'tool-end') tools.delete(id);
    const isResult = event.type === 'tool-end' || event.type === 'tool-output-delta';
    const kind = isResult ? 'tool_result' : 'tool_use';
    const data = toolFacet(event, { kind, backend_item_id: id, tool_use_id: id, tool_name, ...progressOf(event) });
    return { kind: isResult ? 'ToolResult' : 'ToolCall', channel: 'tool', data };
  }

  function approvalFacet(event: EventOf<'approval-request'>): ToolFacet {
    const { id, toolId = null, toolName = null } = event;
    const facts = { backend_item_id: id, tool_use_id: toolId, tool_name: toolName };
    return toolFacet(event, { kind: 'tool_use', phase: 'start', status: 'pending', ...facts });
  }

  /** An ending that is an error of the API is also the last event, in the same words. */
  function lastWord(event: EventOf<'run-end'>): Body[] {
    const outcome = outcomeOf(event, options);
    return outcome.ok || outcome.error.message === 'cancelled' ? [] : [fault(outcome.error.message)];
  }
}

function status(message: string): Body {
  return { kind: 'Status', channel: 'status', message };
}

function fault(message: string): Body {
  return { kind: 'Error', channel: 'error', message };
}

function textOutput({ text, parent }: EventOf<'text-delta' | 'text-end'>): Body[] {
  // What a sub-agent says is part of the tool call that started it.
  return text === '' ? [] : [{ kind: 'TextOutput', channel: parent === undefined ? 'assistant' : 'tool', text }];
}

function blockOf({ messageId, index }: EventOf<'text-delta' | 'text-end'>): string {
  return `${index} ${messageId}`;
}

function turnBody({ outcome }: EventOf<'turn-end'>): Body[] {
  if (outcome === 'success') return [status('result success')];
  // The stream ended without a result; the completion says how.
  return outcome === 'unknown' ? [] : [fault('result error')];
}

function progressOf(event: EventOf<'tool-start' | 'tool-input-delta' | 'tool-output-delta' | 'tool-end'>) {
  switch (event.type) {
    case 'tool-start':
      return { phase: 'start', status: 'running' } as const;
    case 'tool-input-delta':
      return { phase: 'delta', status: 'running' } as const;
    case 'tool-output-delta':
      return {
        phase: 'delta',
        status: 'running',
        bytes: { [event.stream ?? 'stdout']: utf8Length(event.text) },
      } as const;
    case 'tool-end': {
      const bytes = { result: utf8Length(event.output ?? '') };
      const exit_code = event.exitCode ?? null;
      if (event.status === 'ok') return { phase: 'complete', status: 'completed', bytes, exit_code } as const;
      return { phase: 'fail', status: event.status === 'unknown' ? 'unknown' : 'failed', bytes, exit_code } as const;
    }
  }
}
