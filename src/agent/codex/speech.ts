/** Writes Codex items, the unit in which both of its streams report: messages, reasoning, tool calls, to-do lists, warnings. */
import type { Todo } from '../../event/index.js';
import type { AttachedWords } from '../attachment.js';
import type { Chronicle } from '../chronicle/chronicle.js';
import { anyString, type Json, list, lookUp, members, string } from '../field.js';
import { type Phase, writeToolItem } from './tools.js';
import { member, snakeCase } from './wire.js';

export interface ItemWriter {
  /** The text of the latest message of the main conversation: the answer, once the turn is over. */
  answer: string | undefined;
  /** False when the item is of a type that this version does not know. */
  write(item: Json, phase: Phase, parent?: string): boolean;
  /** Part of a reasoning item; `part` names the summary or raw part that grows. */
  think(id: string, part: string, text: string, parent?: string): void;
}

export function createItemWriter(chronicle: Chronicle, attached?: AttachedWords): ItemWriter {
  let lastTodos = '';
  let nameless = 0;
  /** Order in which the parts of each open reasoning item appeared. */
  const thoughts = new Map<string, string[]>();

  const writer: ItemWriter = {
    answer: undefined,
    write(item, phase, parent) {
      const id = string(item.id) ?? `item-${++nameless}`;
      const type = snakeCase(anyString(item.type) ?? '');
      if (writeToolItem(chronicle, type, id, item, phase, parent)) writeTasks(chronicle, type, id, item);
      else {
        const write = lookUp(others, type);
        if (!write) return false;
        write(id, item, phase, parent);
      }
      return true;
    },
    think(id, part, text, parent) {
      chronicle.addText('thinking', id, indexOf(id, part), text, parent);
    },
  };

  const others: Readonly<Record<string, (id: string, item: Json, phase: Phase, parent?: string) => void>> = {
    agent_message(id, item, phase, parent) {
      chronicle.startMessage(id, undefined, parent);
      if (phase !== 'completed') return;
      const text = anyString(item.text) ?? '';
      chronicle.endText('text', id, 0, text, parent);
      chronicle.endMessage(id);
      if (parent === undefined) writer.answer = text;
    },
    reasoning(id, item, phase, parent) {
      chronicle.startMessage(id, undefined, parent);
      if (phase !== 'completed') return;
      const whole = anyString(item.text);
      if (whole !== undefined) chronicle.endText('thinking', id, 0, whole, parent);
      for (const group of ['summary', 'content']) {
        list(item[group]).forEach((text, at) => {
          if (typeof text === 'string') chronicle.endText('thinking', id, indexOf(id, `${group}${at}`), text, parent);
        });
      }
      thoughts.delete(id);
      chronicle.endMessage(id);
    },
    sub_agent_activity(_, item, phase) {
      const agent = anyString(member(item, 'agent_thread_id'));
      if (phase !== 'completed' || agent === undefined) return;
      const description = anyString(member(item, 'agent_path'));
      if (item.kind === 'started') chronicle.startTask({ id: agent, kind: 'agent', description, background: true });
      const end = lookUp(TASK_ENDS, anyString(item.kind));
      if (end) chronicle.endTask(agent, { status: end });
    },
    hook_prompt(id, item, phase, parent) {
      if (phase !== 'completed') return;
      const text = list(item.fragments)
        .map((part) => anyString(members(part).text) ?? '')
        .join('\n');
      chronicle.write({ type: 'user-message', text, messageId: id, synthetic: true }, parent);
    },
    todo_list(_, item) {
      writeTodos(list(item.items).map(members));
    },
    plan(id, item, phase, parent) {
      if (phase === 'completed')
        chronicle.write({ type: 'plan-mode', state: 'propose', plan: anyString(item.text), toolId: id }, parent);
    },
    error(_, item, _phase, parent) {
      chronicle.write(
        { type: 'warning', code: 'agent-warning', message: anyString(item.message) ?? 'unspecified' },
        parent,
      );
    },
    context_compaction(_, _item, phase, parent) {
      if (phase === 'completed') chronicle.endCompaction({}, parent);
      else chronicle.startCompaction({}, parent);
    },
    user_message(id, item, phase, parent) {
      const text = list(item.content)
        .map((part) => anyString(members(part).text) ?? '')
        .join('\n');
      if (phase !== 'completed') return;
      const attachments = parent === undefined ? attached?.take(text) : undefined;
      chronicle.write({ type: 'user-message', text, messageId: id, attachments }, parent);
    },
  };

  function indexOf(id: string, part: string): number {
    const parts = thoughts.get(id) ?? [];
    thoughts.set(id, parts);
    return parts.includes(part) ? parts.indexOf(part) : parts.push(part) - 1;
  }

  /** The list is printed once more, unchanged, when the turn ends. */
  function writeTodos(items: readonly Json[]): void {
    const todos = items.map(
      (item): Todo => ({ text: anyString(item.text) ?? '', status: item.completed === true ? 'done' : 'pending' }),
    );
    const text = JSON.stringify(todos);
    if (text !== lastTodos) chronicle.write({ type: 'todo-update', todos });
    lastTodos = text;
  }

  return writer;
}

/** Sub-agents are tasks: they begin with the call that spawned them and end when any later call reports their end. */
function writeTasks(chronicle: Chronicle, type: string, toolId: string, item: Json): void {
  if (!type.startsWith('collab_')) return;
  const isSpawn = snakeCase(anyString(item.tool) ?? '') === 'spawn_agent';
  for (const id of list(member(item, 'receiver_thread_ids'))) {
    if (!isSpawn || typeof id !== 'string') continue;
    chronicle.startTask({ id, kind: 'agent', toolId, description: string(item.prompt), background: true });
  }
  for (const [id, state] of Object.entries(members(member(item, 'agents_states')))) {
    const { status, message } = members(state);
    const end = lookUp(TASK_ENDS, snakeCase(anyString(status) ?? ''));
    if (end) chronicle.endTask(id, { status: end, summary: anyString(message) });
  }
}

const TASK_ENDS: Readonly<Record<string, 'ok' | 'failed' | 'stopped'>> = {
  completed: 'ok',
  errored: 'failed',
  not_found: 'failed',
  interrupted: 'stopped',
  shutdown: 'stopped',
};
