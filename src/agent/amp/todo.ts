import type { Todo } from '../../event/index.js';
import { objects, string } from '../field.js';

/** Amp's words for the states of a todo, up to January 2026. */
export function todosOf(value: unknown): Todo[] {
  return objects(value).map((item) => ({
    id: string(item.id),
    text: string(item.content) ?? '',
    status: item.status === 'completed' ? 'done' : item.status === 'in-progress' ? 'active' : 'pending',
  }));
}
