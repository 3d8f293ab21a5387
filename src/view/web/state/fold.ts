/** What the reader opened and closed; kept outside the rows, because rows come and go while scrolling. */
import { map } from 'nanostores';
import type { Tool } from '../../../session/index.js';

export const $folds = map<Record<string, boolean>>({});

/** `isOpen` is what the reader sees now. */
export function toggleFold(key: string, isOpen: boolean): void {
  $folds.setKey(key, !isOpen);
}

/** The key of a sub-agent's rows; those of the card itself have the key of the row. */
export function childrenKey(tool: Tool): string {
  return `children ${tool.run}:${tool.id}`;
}
