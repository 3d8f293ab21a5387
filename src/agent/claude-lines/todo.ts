import { defined, type Todo } from '../../event/index.js';
import { lookUp, objects, string } from '../field.js';

/** The list that the todo tool was given. */
export function todosOf(value: unknown): Todo[] {
  return objects(value).map((item) =>
    defined({
      id: string(item.id),
      text: string(item.content) ?? string(item.subject) ?? '',
      status: lookUp(STATUSES, string(item.status)) ?? 'pending',
    }),
  );
}

const STATUSES: Record<string, Todo['status']> = {
  pending: 'pending',
  in_progress: 'active',
  completed: 'done',
};
