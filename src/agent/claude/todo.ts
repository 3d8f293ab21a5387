/** The task list that took the place of `TodoWrite` in 2.1: each call changes one entry, and the event tells the whole list. */
import type { Todo } from '../../event/index.js';
import type { Note, OpenTool } from '../chronicle/chronicle.js';
import { todosOf } from '../claude-lines/todo.js';
import { type Json, lookUp, members, object, string } from '../field.js';

export interface TaskList {
  /** The result of a call that succeeded; absent when it did not change the list. */
  read(tool: OpenTool, output: string, structured: unknown): Note | undefined;
}

export function createTaskList(): TaskList {
  let todos: Todo[] = [];

  const readers: Record<string, (input: Json, output: string, result: Json | undefined) => Todo[] | undefined> = {
    TaskCreate(input, output, result) {
      // Sub-agents' lines have only the text.
      const id = string(object(result?.task)?.id) ?? /^Task #(\S+) created/.exec(output)?.[1];
      return id === undefined ? undefined : [...todos.filter((todo) => todo.id !== id), ...todosOf([{ ...input, id }])];
    },
    TaskUpdate(input, _, result) {
      const id = string(input.taskId);
      const known = todos.find((todo) => todo.id === id);
      if (result?.success === false || !known) return undefined;
      if (input.status === 'deleted') return todos.filter((todo) => todo !== known);
      const [changed] = todosOf([input]);
      const text = string(input.subject) ?? known.text;
      const status = input.status === undefined ? known.status : (changed?.status ?? known.status);
      return todos.map((todo) => (todo === known ? { ...known, text, status } : todo));
    },
    /** A list that was begun in an earlier run is known from here on. */
    TaskList: (_input, _output, result) => (Array.isArray(result?.tasks) ? todosOf(result.tasks) : undefined),
  };

  return {
    read(tool, output, structured) {
      const next = lookUp(readers, tool.name)?.(members(tool.input), output, object(structured));
      if (!next || JSON.stringify(next) === JSON.stringify(todos)) return undefined;
      todos = next;
      return { type: 'todo-update', todos };
    },
  };
}
