/** The texts that are arriving in deltas: each block has its own redactor and is released before it ends. */
import type { Draft, DraftOf } from '../event/index.js';
import type { Redaction } from './redact.js';
import type { Redactor } from './scan.js';

export type Delta = DraftOf<'text-delta' | 'thinking-delta' | 'tool-input-delta' | 'tool-output-delta'>;

export interface Hold {
  /** What can be shown of the block after this delta. */
  push(delta: Delta): string;
  /** The held texts that must be seen before this event, because it ends their blocks. */
  before(draft: Draft): Delta[];
  end(): Delta[];
}

interface Block {
  readonly redactor: Redactor;
  last: Delta;
}

export function createHold(redactions: { text: Redaction; json: Redaction }): Hold {
  const blocks = new Map<string, Block>();
  let current: Block | undefined;

  return { push, before, end: () => release(() => true) };

  function push(delta: Delta): string {
    if (!current || !isSameBlock(current.last, delta)) current = blockOf(delta);
    current.last = delta;
    return current.redactor.push(delta.text);
  }

  function blockOf(delta: Delta): Block {
    const key = keyOf(delta);
    let block = blocks.get(key);
    if (!block) {
      const redaction = delta.type === 'tool-input-delta' ? redactions.json : redactions.text;
      block = { redactor: redaction.createRedactor(), last: delta };
      blocks.set(key, block);
    }
    return block;
  }

  function before(draft: Draft): Delta[] {
    if (blocks.size === 0) return [];
    switch (draft.type) {
      case 'text-end':
        return release((last) => last.type === 'text-delta' && isAt(last, draft));
      case 'thinking-end':
        return release((last) => last.type === 'thinking-delta' && isAt(last, draft));
      case 'message-end':
        return release((last) => 'messageId' in last && last.messageId === draft.messageId);
      case 'message-retract':
        release((last) => 'messageId' in last && isAt(last, { index: last.index, ...draft }));
        return [];
      case 'tool-input-end':
        return release((last) => last.type === 'tool-input-delta' && last.id === draft.id);
      case 'tool-end':
        return release((last) => 'id' in last && last.id === draft.id);
      case 'run-end':
        return release(() => true);
      default:
        return [];
    }
  }

  function release(ends: (last: Delta) => boolean): Delta[] {
    const released: Delta[] = [];
    for (const [key, { redactor, last }] of blocks) {
      if (!ends(last)) continue;
      const text = redactor.end();
      if (text !== '') released.push({ ...last, text });
      blocks.delete(key);
      current = undefined;
    }
    return released;
  }
}

interface Position {
  messageId: string;
  index: number;
}

function isAt(a: Position, b: Position): boolean {
  return a.messageId === b.messageId && a.index === b.index;
}

function isSameBlock(a: Delta, b: Delta): boolean {
  if (a.type !== b.type) return false;
  if ('messageId' in a) return 'messageId' in b && isAt(a, b);
  return 'id' in b && a.id === b.id && streamOf(a) === streamOf(b);
}

function keyOf(delta: Delta): string {
  const place = 'messageId' in delta ? `${delta.index} ${delta.messageId}` : `${streamOf(delta)} ${delta.id}`;
  return `${delta.type} ${place}`;
}

function streamOf(delta: DraftOf<'tool-input-delta' | 'tool-output-delta'>): string {
  return (delta.type === 'tool-output-delta' && delta.stream) || '';
}
