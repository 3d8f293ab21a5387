/**
 * Some models give the id of a call that has ended to another call. Each call gets a name of its own, so that no reader takes the second
 * for a repetition of the first: `call_1`, then `call_1#2`.
 */
import type { Draft } from '../../event/index.js';
import { createRecentMap } from '../recent.js';

export interface CallNames {
  /** Puts the name of the call that has the id now wherever the draft has the id. */
  rename(draft: Draft): void;
}

export function createCallNames(): CallNames {
  const uses = createRecentMap<number>(1024);
  const names = createRecentMap<string>(1024);
  let hasNames = false;

  function start(id: string): void {
    let count = (uses.get(id) ?? 0) + 1;
    uses.set(id, count);
    if (count === 1) return;
    while (uses.has(`${id}#${count}`)) count += 1;
    const name = `${id}#${count}`;
    uses.set(id, count);
    uses.set(name, 1);
    names.set(id, name);
    hasNames = true;
  }

  const nameOf = (id: string): string => names.get(id) ?? id;

  return {
    rename(draft) {
      if (draft.type === 'tool-start') start(draft.id);
      if (!hasNames) return;
      if (draft.parent !== undefined) draft.parent = nameOf(draft.parent);
      if (isCall(draft)) draft.id = nameOf(draft.id);
      else if ('toolId' in draft && draft.toolId !== undefined) draft.toolId = nameOf(draft.toolId);
    },
  };
}

type CallDraft = Extract<Draft, { type: `tool-${string}` }>;

const isCall = (draft: Draft): draft is CallDraft => draft.type.startsWith('tool-');
