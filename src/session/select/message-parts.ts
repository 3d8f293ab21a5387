/** One message as people read it: its texts and the tool calls between them, in order. */

import type { Block, Message } from '../item.js';
import { entries, entryAt } from '../table/chunks.js';

export type MessagePart =
  /** `position` is the block's place in `message.blocks`, stable while it grows. */
  | { kind: 'block'; position: number; block: Block }
  /** Number of the tool in `tools`. */
  | { kind: 'call'; tool: number };

const known = new WeakMap<Message, readonly MessagePart[]>();

/** Without what was retracted; calls stay, because they may have run. */
export function messageParts(message: Message): readonly MessagePart[] {
  const parts = known.get(message) ?? partsOf(message);
  known.set(message, parts);
  return parts;
}

function partsOf(message: Message): MessagePart[] {
  const parts: MessagePart[] = [];
  let before = 0;
  const addCalls = (position: number) => {
    for (
      let call = entryAt(message.calls, before);
      call && call.after < position;
      call = entryAt(message.calls, before)
    ) {
      parts.push({ kind: 'call', tool: call.tool });
      before++;
    }
  };
  for (const [position, block] of entries(message.blocks)) {
    addCalls(position);
    if (message.retracted === undefined && block.retracted === undefined)
      parts.push({ kind: 'block', position, block });
  }
  addCalls(Number.POSITIVE_INFINITY);
  return parts;
}
