/**
 * Neutral events → the flat events of the text lines. Keeps only what is open (tools, questions), so that a stream of any length needs
 * the same memory.
 */

import { changeTexts, decisionText, saidText } from '../../consent/index.js';
import { type AgentEvent, defined, type EventOf, withoutColours } from '../../event/index.js';
import { eventText } from '../../word/index.js';
import { createEndings } from './ending.js';
import { progressOf } from './progress.js';
import { safeLine, safeOutputLine, sentence } from './safe.js';
import type { Said, StreamEvent } from './stream-event.js';

export interface Projection {
  push(event: AgentEvent): StreamEvent[];
  /** The stream is over: calls that began and whose arguments never came. */
  end(): StreamEvent[];
}

export interface ProjectionOptions {
  /** Say the agent's own session id; people are shown it only when they ask for details. */
  sessionId?: boolean;
}

export function createProjection({ sessionId = true }: ProjectionOptions = {}): Projection {
  const tools = new Map<string, { name: string; told: boolean }>();
  /** Tool call → how deep its sub-agent speaks. */
  const depths = new Map<string, number>();
  const questions = new Map<string, EventOf<'approval-request'>>();
  const endings = createEndings();
  let lastText: string | undefined;

  function project(event: AgentEvent): Said[] {
    switch (event.type) {
      case 'session-start':
        if (sessionId && event.sessionId) return [{ kind: 'Progress', text: sentence`session: ${event.sessionId}` }];
        return [
          { kind: 'Progress', text: event.model ? sentence`session started with ${event.model}` : 'session started' },
        ];
      case 'text-end':
        if (!event.text) return [];
        lastText = event.messageId;
        endings.text(event.text);
        return [{ kind: 'Text', text: event.text }];
      case 'thinking-end':
        return [{ kind: 'Thinking', text: event.text }];
      case 'message-retract':
        return event.messageId === lastText
          ? [{ kind: 'Notice', text: sentence`Retracted: the message above was withdrawn (${event.why})` }]
          : [];
      case 'tool-start':
        endings.count('tools');
        tools.set(event.id, { name: event.name, told: false });
        depths.set(event.id, depthOf(event.parent) + 1);
        return [];
      case 'tool-input-end':
        return tellTool(event.id, event.summary);
      case 'tool-progress':
        return [{ kind: 'Progress', text: toolProgress(tools.get(event.id)?.name, event) }];
      case 'tool-end':
        return endTool(event);
      case 'todo-update':
        return [{ kind: 'Todo', todos: event.todos }];
      case 'approval-request':
        questions.set(event.id, event);
        // Programs answer hooks; nobody is asked.
        return event.kind === 'hook'
          ? [{ kind: 'Progress', verbose: true, text: sentence`hook asked: ${event.title}` }]
          : [{ kind: 'Notice', text: requestText(event) }];
      case 'approval-resolve':
      case 'approval-withdraw':
        return endQuestion(event);
      case 'permission-deny':
        // The tool call itself still ends, with an error that says so.
        if (event.toolId !== undefined && tools.has(event.toolId)) return [];
        return [{ kind: 'Notice', text: eventText(event, sentence) }];
      case 'rate-limit':
        return event.state === 'rejected' ? [{ kind: 'Notice', text: eventText(event, sentence) }] : quiet(event);
      case 'agent-error':
        return endings.error(event);
      case 'warning':
      case 'gap':
        return [{ kind: 'Notice', text: `Warning: ${eventText(event, sentence)}` }];
      case 'unknown':
        return event.field === undefined ? [{ kind: 'Unknown', text: eventText(event, sentence) }] : quiet(event);
      case 'turn-end':
        return endings.turn(event);
      case 'run-end':
        return endings.run(event);
      case 'task-end':
        if (event.toolId !== undefined) depths.delete(event.toolId);
        return quiet(event);
      default:
        return quiet(event);
    }
  }

  function depthOf(parent: string | undefined): number {
    return parent === undefined ? 0 : (depths.get(parent) ?? 1);
  }

  function tellTool(id: string, summary: string): Said[] {
    const tool = tools.get(id);
    if (!tool || tool.told) return [];
    tool.told = true;
    return [{ kind: 'ToolStart', toolId: id, toolName: tool.name, toolInput: summary }];
  }

  function endTool(event: EventOf<'tool-end'>): Said[] {
    const started = tellTool(event.id, '');
    const toolName = event.name ?? tools.get(event.id)?.name;
    tools.delete(event.id);
    // A sub-agent that goes on in the background still speaks under its call.
    if (event.taskId === undefined) depths.delete(event.id);
    if (event.status === 'ok') {
      return [
        ...started,
        { kind: 'ToolEnd', toolId: event.id, toolName, toolOutput: safeOutputLine(event.output, 100) },
      ];
    }
    // The stream was cut: the ending says so, once for all.
    if (event.status === 'unknown') return [...started, { kind: 'ToolEnd', toolId: event.id, toolName }];
    endings.count('errors');
    return [...started, { kind: 'ToolEnd', toolId: event.id, toolName, toolError: toolError(event, toolName) }];
  }

  function endQuestion(event: EventOf<'approval-resolve' | 'approval-withdraw'>): Said[] {
    const request = questions.get(event.id);
    const subject = request ? subjectOf(request) : 'question';
    questions.delete(event.id);
    if (event.type === 'approval-withdraw')
      return [{ kind: 'Progress', verbose: true, text: sentence`${subject}: no longer asked` }];
    const said = saidText(request, event);
    const words = [lowerFirst(decisionText(event)), said, ...changeTexts(event.changes ?? {})].filter(Boolean);
    const text = sentence`${subject}: ${words.join('; ')}`;
    // What a person answered or changed is part of the conversation; that something was allowed is not.
    const isTold = event.changes !== undefined || (request?.kind !== 'tool' && request?.kind !== 'hook' && said !== '');
    return [isTold ? { kind: 'Notice', text } : { kind: 'Progress', verbose: true, text }];
  }

  return {
    push: (event) => {
      endings.see(event);
      const depth = depthOf(event.parent);
      return project(event).map((said) => defined<StreamEvent>({ ...said, at: event.at, depth }));
    },
    end: () => {
      const untold = [...tools.keys()].flatMap((id) => tellTool(id, ''));
      return untold.map((said) => defined<StreamEvent>({ ...said, at: 0, depth: 0 }));
    },
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function quiet(event: AgentEvent): Said[] {
  const progress = progressOf(event);
  return progress.text !== '' ? [{ kind: 'Progress', ...progress }] : [];
}

function toolError({ output: printed, status, exitCode }: EventOf<'tool-end'>, name = 'tool'): string {
  const output = typeof printed === 'string' ? withoutColours(printed) : printed;
  // What an agent prints of a call that was cut off is written for its model.
  if (output && status !== 'cancelled') {
    if (status === 'denied') return DENIAL.test(safeLine(output)) ? output : sentence`denied: ${output}`;
    // What a command printed does not say that it failed.
    const isTold = typeof exitCode !== 'number' || /exit(ed with)? code/i.test(safeLine(output));
    return isTold ? output : sentence`exit code ${exitCode}: ${output}`;
  }
  return exitCode === undefined ? sentence`${name} ${status}` : sentence`${name} ${status} with exit code ${exitCode}`;
}

/** Words by which a reader sees that a call was not allowed. */
const DENIAL = /deni|permi|approv|reject|refus|declin|allow|blocked|cancelled by user/i;

function toolProgress(name = 'tool', event: EventOf<'tool-progress'>): string {
  const seconds = typeof event.elapsedMs === 'number' ? Math.round(event.elapsedMs / 1000) : undefined;
  return seconds === undefined
    ? sentence`${name}: ${event.text}`
    : sentence`${name}: ${seconds} s ${event.text}`.trim();
}

const subjectOf = (event: EventOf<'approval-request'>): string => event.toolName ?? event.title ?? event.kind;

function requestText(event: EventOf<'approval-request'>): string {
  const questions = Array.isArray(event.questions) ? event.questions.map((asked) => safeLine(asked?.question)) : [];
  const asked = questions.filter(Boolean).join(' · ');
  if (event.kind === 'question' && asked) return sentence`Question: ${asked}`;
  if (event.kind === 'plan') return 'Permission required: plan';
  if (event.kind === 'elicitation') return sentence`Question: ${event.title ?? event.toolName} ${event.url}`.trim();
  const detail = event.summary || event.description;
  const subject = sentence`Permission required: ${subjectOf(event)}`;
  return detail ? `${subject} (${sentence`${detail}`})` : subject;
}
