/**
 * The texts that are arriving in deltas: each block has its own redactor and is released before it ends.
 *
 * An end looks up its own blocks and no others, so that thousands of open ones cost no more than one.
 */
import type { Draft, DraftOf } from '../event/index.js';
import { createColourless } from './colourless.js';
import type { Redaction } from './redact.js';
import type { Redactor } from './scan.js';

export type Delta = DraftOf<'text-delta' | 'thinking-delta' | 'tool-input-delta' | 'tool-output-delta'>;

export interface HeldTexts {
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

/** The open blocks of a message or of a tool call, by their place in it. */
type Blocks = Map<string, Block>;

export function createHeldTexts(redactions: { text: Redaction; json: Redaction }): HeldTexts {
  const messages = new Map<string, Blocks>();
  const tools = new Map<string, Blocks>();
  let current: Block | undefined;

  return { push, before, end: releaseAll };

  function push(delta: Delta): string {
    if (!current || !isSameBlock(current.last, delta)) current = blockOf(delta);
    current.last = delta;
    return current.redactor.push(delta.text);
  }

  function blockOf(delta: Delta): Block {
    const blocks = 'messageId' in delta ? entry(messages, delta.messageId) : entry(tools, delta.id);
    const place = placeOf(delta);
    let block = blocks.get(place);
    if (!block) {
      const redaction = delta.type === 'tool-input-delta' ? redactions.json : redactions.text;
      const redactor = redaction.createRedactor();
      block = { redactor: delta.type === 'tool-output-delta' ? createColourless(redactor) : redactor, last: delta };
      blocks.set(place, block);
    }
    return block;
  }

  function before(draft: Draft): Delta[] {
    if (messages.size === 0 && tools.size === 0) return [];
    switch (draft.type) {
      case 'text-end':
      case 'thinking-end':
        return release(messages, draft.messageId, [placeOf(draft)]);
      case 'message-end':
        return release(messages, draft.messageId);
      case 'message-retract':
        release(messages, draft.messageId, draft.index === undefined ? undefined : bothAt(draft.index));
        return [];
      case 'tool-input-end':
        return release(tools, draft.id, [INPUT]);
      case 'tool-end':
        return release(tools, draft.id);
      case 'run-end':
        return releaseAll();
      default:
        return [];
    }
  }

  /** The blocks at these places of their owner; without places all of them. */
  function release(owners: Map<string, Blocks>, id: string, places?: readonly string[]): Delta[] {
    const blocks = owners.get(id);
    if (!blocks) return [];
    const released: Delta[] = [];
    for (const place of places ?? [...blocks.keys()]) {
      const block = blocks.get(place);
      if (!block) continue;
      blocks.delete(place);
      if (block === current) current = undefined;
      const text = block.redactor.end();
      if (text !== '') released.push({ ...block.last, text });
    }
    if (blocks.size === 0) owners.delete(id);
    return released;
  }

  function releaseAll(): Delta[] {
    return [messages, tools].flatMap((owners) => [...owners.keys()].flatMap((id) => release(owners, id)));
  }
}

const INPUT = 'input';

function entry(owners: Map<string, Blocks>, id: string): Blocks {
  const blocks = owners.get(id) ?? new Map<string, Block>();
  owners.set(id, blocks);
  return blocks;
}

function placeOf(draft: Delta | DraftOf<'text-end' | 'thinking-end'>): string {
  switch (draft.type) {
    case 'text-delta':
    case 'text-end':
      return `text ${draft.index}`;
    case 'thinking-delta':
    case 'thinking-end':
      return `thinking ${draft.index}`;
    case 'tool-input-delta':
      return INPUT;
    case 'tool-output-delta':
      return `output ${draft.stream ?? ''}`;
  }
}

function bothAt(index: number): string[] {
  return [`text ${index}`, `thinking ${index}`];
}

function isSameBlock(a: Delta, b: Delta): boolean {
  if (a.type !== b.type) return false;
  if ('messageId' in a) return 'messageId' in b && a.messageId === b.messageId && a.index === b.index;
  return 'id' in b && a.id === b.id && streamOf(a) === streamOf(b);
}

function streamOf(delta: DraftOf<'tool-input-delta' | 'tool-output-delta'>): string | undefined {
  return delta.type === 'tool-output-delta' ? delta.stream : undefined;
}
