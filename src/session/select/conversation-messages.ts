/** The main conversation as messages with blocks, the way S4 and chat views know them: results are folded into their calls. */

import type { Block, Message, Tool } from '../item.js';
import { MAIN_THREAD, type SessionState } from '../state.js';
import { entryAt, leaves } from '../table/chunks.js';
import { rowAt } from '../table/table.js';
import { messageParts } from './message-parts.js';

export interface ConversationMessage {
  readonly id: string;
  readonly role: 'assistant' | 'user';
  readonly blocks: readonly ConversationBlock[];
  readonly stopReason?: string | undefined;
}

/** Texts and tool calls are told apart, because views draw them differently. */
export type ConversationBlock = Block | { readonly kind: 'tool'; readonly tool: Tool };

/** Without messages that are empty or retracted. A call that belongs to no message is one of its own. */
export function selectMessages(state: SessionState): ConversationMessage[] {
  const messages: ConversationMessage[] = [];
  const items = entryAt(state.threads, MAIN_THREAD)?.items;
  for (const [, leaf] of items ? leaves(items) : []) {
    for (const item of leaf) {
      const message = item?.kind === 'message' ? rowAt(state.messages, item.number) : undefined;
      if (message) messages.push(withBlocks(state, message));
      const tool = item?.kind === 'tool' ? rowAt(state.tools, item.number) : undefined;
      if (tool) messages.push({ id: tool.id, role: 'assistant', blocks: [{ kind: 'tool', tool }] });
    }
  }
  return messages.filter(({ blocks }) => blocks.length > 0);
}

function withBlocks(state: SessionState, message: Message): ConversationMessage {
  const blocks = messageParts(message).flatMap((part): ConversationBlock[] => {
    if (part.kind === 'block') return [part.block];
    const tool = rowAt(state.tools, part.tool);
    return tool ? [{ kind: 'tool', tool }] : [];
  });
  return { id: message.id, role: message.role, blocks, stopReason: message.stopReason };
}
