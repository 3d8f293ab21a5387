/** One message as people read it: its texts and the tool calls between them, in order. */
import { entries, values } from './chunks.js';
import type { Block, Call, Message } from './item.js';

export type MessagePart =
  /** `position` is the block's place in `message.blocks`, stable while it grows. */
  | { kind: 'block'; position: number; block: Block }
  /** Number of the tool in `tools`. */
  | { kind: 'call'; tool: number };

/** Without what was retracted; calls stay, because they may have run. */
export function* messageParts(message: Message): Generator<MessagePart> {
  const calls = values(message.calls);
  let call = calls.next();
  for (const [position, block] of entries(message.blocks)) {
    for (; isBefore(call, position); call = calls.next()) yield { kind: 'call', tool: call.value.tool };
    if (message.retracted === undefined && block.retracted === undefined) yield { kind: 'block', position, block };
  }
  for (; !call.done; call = calls.next()) yield { kind: 'call', tool: call.value.tool };
}

function isBefore(call: IteratorResult<Call, void>, position: number): call is IteratorYieldResult<Call> {
  return !call.done && call.value.after < position;
}
