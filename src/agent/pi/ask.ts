/** Dialogs of pi's extensions, the only way in which pi asks a person. */

import { defined, type Targets } from '../../event/index.js';
import type { Ask, OpenTool } from '../chronicle/chronicle.js';
import { anyString, type Json, members, parsed, string, strings } from '../field.js';
import { GATE_TITLE, gateAnswer } from './gate.js';
import { TOOLS } from './tools.js';

/** Absent for what is only shown. `openTool` is the call that runs, if there is one. */
export function askFrom(line: Json, openTool: OpenTool | undefined): Ask | undefined {
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
  return {
    request: {
      kind: 'tool',
      toolId: string(id),
      toolName,
      toolKind: TOOLS.kind(toolName),
      input,
      summary: TOOLS.summary(toolName, input),
      ...TOOLS.targets(toolName, input),
      suggestions: [{ allows: 'tool', what: [toolName], lasts: 'session' }],
    },
    reply: (decision) => ({ value: gateAnswer(decision) }),
    cancelled: CANCELLED,
  };
}

/** Somebody's own extension asks yes or no, usually about the call that runs. It takes no other input, so none is shown. */
function askConfirm({ message }: Json, title: string, tool: OpenTool | undefined): Ask {
  const about = tool && { toolId: tool.id, toolName: tool.name, toolKind: tool.kind, ...touchedBy(tool) };
  return {
    request: { kind: tool ? 'tool' : 'other', ...about, title, description: string(message), summary: string(message) },
    reply: (decision) => ({ confirmed: decision.type === 'approve' }),
    cancelled: CANCELLED,
  };
}

function touchedBy({ name, input }: OpenTool): Targets {
  const { edits: _, ...targets } = TOOLS.targets(name, input);
  return targets;
}

function askText(question: string, options: string[] | undefined): Ask {
  return {
    request: { kind: 'question', questions: [defined({ question, options: options?.map((label) => ({ label })) })] },
    reply(decision) {
      const answer =
        decision.type === 'answer' ? (decision.answers[question] ?? Object.values(decision.answers)[0]) : undefined;
      return answer === undefined ? CANCELLED : { value: typeof answer === 'string' ? answer : JSON.stringify(answer) };
    },
    cancelled: CANCELLED,
  };
}

const CANCELLED: Json = { cancelled: true };
