/** Copilot keeps its to-do list in a table of its `sql` tool; only a look at the whole table tells what is on it. */
import type { Todo } from '../../event/index.js';
import { lookUp } from '../field.js';

/** Absent unless the query reads all of the list and the answer has its columns. */
export function todosFrom(query: string, answer: string): Todo[] | undefined {
  const [, behind] = /^\s*select\b.*\bfrom\s+todos(.*)$/is.exec(query) ?? [];
  if (behind === undefined || !/^(?:order\s+by\b|;?$)/i.test(behind.trim())) return undefined;
  const [head, , ...rows] = answer
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf);
  const [id, title, status] = ['id', 'title', 'status'].map((column) => head?.indexOf(column) ?? -1);
  if (title === undefined || status === undefined || title < 0 || status < 0) return undefined;
  return rows.map((cells) => ({
    ...(id !== undefined && id >= 0 && { id: cells[id] ?? '' }),
    text: cells[title] ?? '',
    status: lookUp(STATUS, cells[status]) ?? 'pending',
  }));
}

const STATUS: Readonly<Record<string, Todo['status']>> = { done: 'done', in_progress: 'active' };

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
