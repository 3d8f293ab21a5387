/**
 * Ids that may be seen: one that is too long or holds a secret is replaced by a digest, the same in every event, so that
 * what belongs together still does. Whoever answers an approval by such an id reaches the agent's own one.
 */
import type { Draft } from '../event/index.js';
import { sha256 } from './sha256.js';
import { utf8Length } from './utf8.js';

export interface Identities {
  /** The draft with ids that may be seen; itself when all of them may. */
  show(draft: Draft): Draft;
  /** The agent's own id of an open approval. */
  original(id: string): string;
}

/** The fields of an event that name something. */
export const ID_FIELDS = ['id', 'toolId', 'messageId', 'sessionId', 'parent', 'taskId', 'previousId', 'newId'] as const;

type Ids = { readonly [Field in (typeof ID_FIELDS)[number]]?: string };

const MAX_ID_BYTES = 256;
/** The same ids come again and again; so many are remembered, of the long ones a few. */
const REMEMBERED = 1_024;
const LONG_REMEMBERED = 8;

export function createIdentities(redact: ((text: string) => string) | undefined): Identities {
  const known = new Map<string, string>();
  const knownLong = new Map<string, string>();
  const originals = new Map<string, string>();

  return {
    show(draft) {
      const shown = draft.type === 'turn-end' || draft.type === 'todo-update' ? showNested(draft) : draft;
      const ids: Ids = shown;
      // Nearly every event has only ids that were seen before.
      if (isKnown(ids.id) && isKnown(ids.messageId) && isKnown(ids.sessionId) && isKnown(ids.parent)) {
        if (isKnown(ids.toolId) && isKnown(ids.taskId) && isKnown(ids.previousId) && isKnown(ids.newId)) return shown;
      }
      let changes: Record<string, string> | undefined;
      for (const field of ID_FIELDS) {
        const id = ids[field];
        if (id === undefined) continue;
        const visible = visibleId(id);
        if (visible !== id) changes = { ...changes, [field]: visible };
      }
      follow(draft, changes?.id);
      return changes ? Object.assign({ ...shown }, changes) : shown;
    },
    original: (id) => originals.get(id) ?? id,
  };

  function isKnown(id: string | undefined): boolean {
    return id === undefined || known.get(id) === id;
  }

  function visibleId(id: string): string {
    const isShort = id.length <= MAX_ID_BYTES;
    const memory = isShort ? known : knownLong;
    let visible = memory.get(id);
    if (visible === undefined) {
      visible = isShort && isFit(id) ? id : `withheld-id-${sha256(id).slice(0, 32)}`;
      if (memory.size >= (isShort ? REMEMBERED : LONG_REMEMBERED)) memory.clear();
      memory.set(id, visible);
    }
    return visible;
  }

  function isFit(id: string): boolean {
    return utf8Length(id) <= MAX_ID_BYTES && !id.includes('\0') && (redact?.(id) ?? id) === id;
  }

  /** Ids inside of values; only the end of a turn and a list of todos have some. */
  function showNested(draft: Extract<Draft, { type: 'turn-end' | 'todo-update' }>): Draft {
    if (draft.type === 'todo-update') {
      if (!draft.todos.some(({ id }) => id !== undefined && visibleId(id) !== id)) return draft;
      return { ...draft, todos: draft.todos.map((todo) => (todo.id ? { ...todo, id: visibleId(todo.id) } : todo)) };
    }
    const { openTasks, denials, resumeAt } = draft;
    const isFitting =
      (resumeAt === undefined || visibleId(resumeAt) === resumeAt) &&
      (openTasks ?? []).every((id) => visibleId(id) === id) &&
      (denials ?? []).every(({ toolId }) => toolId === undefined || visibleId(toolId) === toolId);
    if (isFitting) return draft;
    return {
      ...draft,
      ...(resumeAt !== undefined && { resumeAt: visibleId(resumeAt) }),
      ...(openTasks && { openTasks: openTasks.map(visibleId) }),
      ...(denials && {
        denials: denials.map((denial) => (denial.toolId ? { ...denial, toolId: visibleId(denial.toolId) } : denial)),
      }),
    };
  }

  /** Remembers the agent's own id while an approval is open. */
  function follow(draft: Draft, visible: string | undefined): void {
    if (draft.type === 'approval-request' && visible !== undefined) originals.set(visible, draft.id);
    else if (draft.type === 'approval-resolve' || draft.type === 'approval-withdraw') {
      originals.delete(visible ?? draft.id);
    }
  }
}
