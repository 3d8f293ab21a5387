/** Which fields the objects of a line have, by the kind of line and the place in it; names only, never what a tool or a person said. */
import { isObject, type Json } from './field.js';

/** `place` is empty for the line itself, `message.content.tool_use` for a block in it. */
export type SeeObject = (kind: string, place: string, object: Json) => void;

/** Calls back for the line and for what it carries. A line without a name of its own has no kind, and is left out. */
export function visitObjects(line: unknown, see: SeeObject): void {
  if (!isObject(line)) return;
  const kind = kindOf(line);
  if (kind === '') return;
  see(kind, '', line);
  visitCarried(line, '', kind, see, 0);
}

/**
 * Fields under which agents put what belongs to the line. Inputs, outputs and results are left out: their fields are somebody's
 * data, not the agent's words.
 */
const CARRIERS = [
  'message',
  'content',
  'event',
  'delta',
  'content_block',
  'item',
  'part',
  'params',
  'update',
  'data',
  'request',
  'usage',
];
const DEEPEST = 4;

function visitCarried(object: Json, place: string, kind: string, see: SeeObject, depth: number): void {
  if (depth === DEEPEST) return;
  for (const carrier of CARRIERS) {
    const carried = object[carrier];
    if (typeof carried !== 'object' || carried === null) continue;
    const inside = place === '' ? carrier : `${place}.${carrier}`;
    for (const each of Array.isArray(carried) ? carried : [carried]) {
      if (!isObject(each)) continue;
      const name = kindOf(each);
      const there = name === '' || name === carrier ? inside : `${inside}.${name}`;
      see(kind, there, each);
      visitCarried(each, there, kind, see, depth + 1);
    }
  }
}

/** What an object says it is: agents have different words for it. */
function kindOf({ type, subtype, method, sessionUpdate, role }: Json): string {
  const name = type ?? method ?? sessionUpdate ?? role;
  if (typeof name !== 'string') return '';
  return typeof subtype === 'string' ? `${name}/${subtype}` : name;
}
