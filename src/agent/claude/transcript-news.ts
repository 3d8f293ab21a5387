/** What the stream tells by lines of its own, and the transcript beside others: work in the background that begins and ends, refusals by rules. */
import { between } from '../between.js';
import { contentText } from '../claude-lines/content.js';
import { type Json, object, objects, string } from '../field.js';

/** Gives the lines that the program printed before that of an entry. */
export function createNews(): (entry: Json) => Json[] {
  const calls = new Map<string, { name: unknown; description: unknown }>();
  const begun = new Set<string>();

  return (entry) => {
    const { content } = object(entry.message) ?? {};
    if (entry.type === 'assistant') {
      for (const { type, id, name, input } of objects(content))
        if (type === 'tool_use' && typeof id === 'string')
          calls.set(id, { name, description: object(input)?.description });
      return [];
    }
    const notice = noticeIn(entry.type === 'queue-operation' ? entry.content : content);
    // It is noted when it comes, and once more when it is told to the model.
    if (notice) return begun.delete(string(notice.task_id) ?? '') ? [notice] : [];
    return entry.type === 'user' ? objects(content).flatMap((block) => besideResult(entry, block)) : [];
  };

  function besideResult(entry: Json, { type, tool_use_id: id, content }: Json): Json[] {
    const call = type === 'tool_result' && typeof id === 'string' ? calls.get(id) : undefined;
    if (!call) return [];
    calls.delete(String(id));
    const task = string(object(entry.toolUseResult)?.backgroundTaskId);
    if (task !== undefined) {
      begun.add(task);
      const facts = { task_id: task, description: call.description, is_backgrounded: true, task_type: 'local_bash' };
      return [{ type: 'system', subtype: 'task_started', tool_use_id: id, ...facts }];
    }
    const { decision, source } = object(entry.permissionDecision) ?? {};
    // A person's refusal was asked for, and is told as an answer.
    if (entry.toolDenialKind === undefined || decision !== 'reject' || source !== 'config') return [];
    const facts = { tool_name: call.name, message: contentText(content) };
    return [{ type: 'system', subtype: 'permission_denied', tool_use_id: id, ...facts }];
  }
}

function noticeIn(content: unknown): Json | undefined {
  const text = typeof content === 'string' && content.startsWith('<task-notification>') ? content : undefined;
  if (text === undefined) return undefined;
  const named = (name: string) => between(text, `<${name}>`, `</${name}>`);
  const facts = { tool_use_id: named('tool-use-id'), status: named('status'), summary: named('summary') };
  return { type: 'system', subtype: 'task_notification', task_id: named('task-id'), ...facts };
}
