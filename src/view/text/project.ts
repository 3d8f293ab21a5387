/**
 * Neutral events → the seed's events (§4.3). Keeps only what is open (tools, questions), so that a stream of any length needs
 * the same memory.
 */
import type { AgentEvent, EventOf } from '../../event/index.js';
import { createEndings } from './ending.js';
import { progressOf, rateLimit } from './progress.js';
import { safeLine, sentence, wordOf } from './safe.js';
import type { Said, StreamEvent } from './stream-event.js';

export interface Projection {
  push(event: AgentEvent): StreamEvent[];
  /** The stream is over: calls that began and whose arguments never came. */
  end(): StreamEvent[];
}

export interface ProjectionOptions {
  /** Say the agent's own session id (S1-19); people are shown it only when they ask for details (decision 12). */
  sessionId?: boolean;
}

export function createProjection({ sessionId = true }: ProjectionOptions = {}): Projection {
  const tools = new Map<string, { name: string; told: boolean }>();
  /** Tool call → how deep its sub-agent speaks. */
  const depths = new Map<string, number>();
  const questions = new Map<string, string>();
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
        questions.set(event.id, subjectOf(event));
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
        return [{ kind: 'Notice', text: sentence`Permission denied: ${event.toolName}` }];
      case 'rate-limit':
        return event.state === 'rejected' ? [{ kind: 'Notice', text: rateLimit(event) }] : quiet(event);
      case 'agent-error':
        return endings.error(event);
      case 'warning':
        return [{ kind: 'Notice', text: sentence`Warning: ${event.message}` }];
      case 'gap':
        return [
          { kind: 'Notice', text: sentence`Warning: events ${event.from} to ${event.to} were lost (${event.why})` },
        ];
      case 'unknown':
        return event.field === undefined
          ? [{ kind: 'Unknown', text: sentence`unknown message type: ${event.wireType}` }]
          : quiet(event);
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
      return [...started, { kind: 'ToolEnd', toolId: event.id, toolName, toolOutput: safeLine(event.output, 100) }];
    }
    // The stream was cut: the ending says so, once for all.
    if (event.status === 'unknown') return [...started, { kind: 'ToolEnd', toolId: event.id, toolName }];
    endings.count('errors');
    return [...started, { kind: 'ToolEnd', toolId: event.id, toolName, toolError: toolError(event, toolName) }];
  }

  function endQuestion(event: EventOf<'approval-resolve' | 'approval-withdraw'>): Said[] {
    const subject = questions.get(event.id) ?? 'question';
    questions.delete(event.id);
    if (event.type === 'approval-withdraw')
      return [{ kind: 'Progress', verbose: true, text: sentence`${subject}: no longer asked` }];
    return [
      {
        kind: 'Progress',
        verbose: true,
        text: sentence`${subject}: ${wordOf(DECISION, event.decision)} by ${event.rule ?? event.by}`,
      },
    ];
  }

  return {
    push: (event) => {
      const depth = depthOf(event.parent);
      return project(event).map((said) => ({ ...said, at: event.at, depth }));
    },
    end: () => {
      const untold = [...tools.keys()].flatMap((id) => tellTool(id, ''));
      return untold.map((said) => ({ ...said, at: 0, depth: 0 }));
    },
  };
}

const DECISION = { allow: 'allowed', 'allow-always': 'always allowed', deny: 'denied', answer: 'answered' };

function quiet(event: AgentEvent): Said[] {
  const progress = progressOf(event);
  return progress && progress.text !== '' ? [{ kind: 'Progress', ...progress }] : [];
}

function toolError({ output, status, exitCode }: EventOf<'tool-end'>, name = 'tool'): string {
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
  const question = Array.isArray(event.questions) ? event.questions[0]?.question : undefined;
  if (event.kind === 'question' && question) return sentence`Question: ${question}`;
  if (event.kind === 'plan') return 'Permission required: plan';
  if (event.kind === 'elicitation') return sentence`Question: ${event.title ?? event.toolName} ${event.url}`.trim();
  const detail = event.summary || event.description;
  const subject = sentence`Permission required: ${subjectOf(event)}`;
  return detail ? `${subject} (${sentence`${detail}`})` : subject;
}
