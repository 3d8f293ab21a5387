/** Dialogs of pi's extensions, the only way in which pi asks a person. */
import type { Body } from '../chronicle.js';
import type { Decision } from '../decision.js';
import { anyString, type Json, members, parsed, string, strings } from '../field.js';
import { GATE_TITLE, gateAnswer } from './gate.js';
import { kindOf, summaryOf } from './tool.js';

export interface Ask {
  request: Omit<Body<'approval-request'>, 'id'>;
  /** Members of the response beside its type and id. */
  reply(decision: Decision): Json;
  toolId: string | undefined;
}

/** Absent for what is only shown. `openTool` is the call that runs, if there is one. */
export function askFrom(line: Json, openTool: { id: string; name: string } | undefined): Ask | undefined {
  const title = anyString(line.title) ?? '';
  if (line.method === 'select' && title.startsWith(GATE_TITLE)) return askGate(title.slice(GATE_TITLE.length));
  if (line.method === 'confirm') return askConfirm(line, title, openTool);
  if (line.method === 'select') return askText(title, strings(line.options) ?? []);
  return line.method === 'input' || line.method === 'editor' ? askText(title, undefined) : undefined;
}

/** A call that waits at glassbox's own gate. */
function askGate(call: string): Ask {
  const { id, name, input } = members(parsed(call));
  const toolName = string(name) ?? 'tool';
  const toolId = string(id);
  return {
    request: {
      kind: 'tool',
      toolId,
      toolName,
      toolKind: kindOf(toolName),
      input,
      summary: summaryOf(toolName, members(input)),
      suggestions: [{ always: toolName }],
    },
    toolId,
    reply: (decision) => ({ value: gateAnswer(decision) }),
  };
}

/** Somebody's own extension asks yes or no, usually about the call that runs. */
function askConfirm({ message }: Json, title: string, tool: { id: string; name: string } | undefined): Ask {
  const about = tool && { toolId: tool.id, toolName: tool.name, toolKind: kindOf(tool.name) };
  return {
    request: { kind: tool ? 'tool' : 'other', ...about, title, description: string(message), summary: string(message) },
    toolId: tool?.id,
    reply: (decision) => ({ confirmed: decision.type === 'approve' }),
  };
}

function askText(question: string, options: string[] | undefined): Ask {
  return {
    request: { kind: 'question', questions: [{ question, options: options?.map((label) => ({ label })) }] },
    toolId: undefined,
    reply(decision) {
      const answer =
        decision.type === 'answer' ? (decision.answers[question] ?? Object.values(decision.answers)[0]) : undefined;
      return answer === undefined
        ? { cancelled: true }
        : { value: typeof answer === 'string' ? answer : JSON.stringify(answer) };
    },
  };
}
