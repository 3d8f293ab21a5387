/**
 * What the stream tells by lines of its own, and the transcript beside others: sub-agents and work in the background that begin and end, refusals
 * by rules.
 */
import { between } from '../between.js';
import { contentText } from '../claude-lines/content.js';
import { type Json, object, objects, string } from '../field.js';

interface Call {
  name: unknown;
  input: Json;
}

/** Gives the lines that the program printed before that of an entry; `parent` is the call that its speaker works for. */
export function createNews(): (entry: Json, parent: string | undefined) => Json[] {
  const calls = new Map<string, Call>();
  const begun = new Set<string>();
  const subAgents = createSubAgentNews(begun);

  return (entry, parent) => {
    const { content } = object(entry.message) ?? {};
    const begins = parent === undefined ? [] : subAgents.heard(entry, parent, calls.get(parent));
    if (entry.type === 'assistant') {
      for (const { type, id, name, input } of objects(content))
        if (type === 'tool_use' && typeof id === 'string') calls.set(id, { name, input: object(input) ?? {} });
      return begins;
    }
    const notice = noticeIn(entry.type === 'queue-operation' ? entry.content : content);
    // It is noted when it comes, and once more when it is told to the model.
    if (notice) return begun.delete(string(notice.task_id) ?? '') ? [notice] : [];
    const results = entry.type === 'user' ? objects(content) : [];
    return [...begins, ...results.flatMap((block) => besideResult(entry, block))];
  };

  function besideResult(entry: Json, block: Json): Json[] {
    const { type, tool_use_id: id, content } = block;
    const call = type === 'tool_result' && typeof id === 'string' ? calls.get(id) : undefined;
    if (!call || typeof id !== 'string') return [];
    calls.delete(id);
    const task = string(object(entry.toolUseResult)?.backgroundTaskId);
    if (task !== undefined) {
      begun.add(task);
      return [startOf(task, id, call, { task_type: 'local_bash', is_backgrounded: true })];
    }
    const { decision, source } = object(entry.permissionDecision) ?? {};
    // A person's refusal was asked for, and is told as an answer.
    if (entry.toolDenialKind === undefined || decision !== 'reject' || source !== 'config')
      return subAgents.answered(entry, block, id, call);
    const facts = { tool_name: call.name, message: contentText(content) };
    return [{ type: 'system', subtype: 'permission_denied', tool_use_id: id, ...facts }];
  }
}

/** A sub-agent begins with its first words, or with the answer that it works in the background, and ends with its call, or by a notice. */
function createSubAgentNews(inBackground: Set<string>) {
  const ofCall = new Map<string, string>();
  const started = new Set<string>();
  const lastWords = new Map<string, string>();

  return {
    heard(entry: Json, parent: string, call: Call | undefined): Json[] {
      const id = string(entry.agentId);
      if (id === undefined) return [];
      ofCall.set(parent, id);
      const words = entry.type === 'assistant' ? contentText(object(entry.message)?.content) : '';
      if (words !== '') lastWords.set(id, words);
      // Whether it is waited for is known where the model said so, else from the answer.
      return call?.input.run_in_background === false ? begin(id, parent, call) : [];
    },
    answered(entry: Json, { is_error, content }: Json, callId: string, call: Call): Json[] {
      const { agentId, isAsync, content: report } = object(entry.toolUseResult) ?? {};
      const id = string(agentId) ?? ofCall.get(callId);
      if (id === undefined) return [];
      const begins = begin(id, callId, call, isAsync === true);
      if (isAsync === true) {
        inBackground.add(id);
        return begins;
      }
      const summary =
        is_error === true ? contentText(content) : (lastWords.get(id) ?? string(objects(report).at(-1)?.text));
      const facts = { tool_use_id: callId, status: is_error === true ? 'failed' : 'completed', summary };
      return [...begins, { type: 'system', subtype: 'task_notification', task_id: id, ...facts }];
    },
  };

  function begin(id: string, callId: string, call: Call, isAsync = false): Json[] {
    if (started.has(id)) return [];
    started.add(id);
    return [startOf(id, callId, call, { task_type: 'local_agent', is_backgrounded: isAsync })];
  }
}

function startOf(task_id: string, tool_use_id: string, { input }: Call, facts: Json): Json {
  const { description } = input;
  return { type: 'system', subtype: 'task_started', task_id, tool_use_id, description, ...facts };
}

function noticeIn(content: unknown): Json | undefined {
  const text = typeof content === 'string' && content.startsWith('<task-notification>') ? content : undefined;
  if (text === undefined) return undefined;
  const named = (name: string) => between(text, `<${name}>`, `</${name}>`);
  // A sub-agent is summed up by what it answered.
  const summary = named('result') ?? named('summary');
  const facts = { tool_use_id: named('tool-use-id'), status: named('status'), summary };
  return { type: 'system', subtype: 'task_notification', task_id: named('task-id'), ...facts };
}
