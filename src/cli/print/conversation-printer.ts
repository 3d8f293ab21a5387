/** Events → the conversation that they are, drawn when all of them are there. */
import type { AgentEvent } from '../../event/index.js';
import { initialState, reduce } from '../../session/index.js';
import { conversationRows } from '../../view/terminal/index.js';
import type { ViewFlags } from '../flag/view-flag.js';
import { wantsColor } from './color.js';

export interface ConversationPrinter {
  add(events: readonly AgentEvent[]): void;
  rows(): string[];
}

export function createConversationPrinter(
  flags: Pick<ViewFlags, 'color'> & { full?: boolean; format?: string },
  { stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>,
): ConversationPrinter {
  let state = initialState;
  const isPlain = flags.format === 'plain';
  return {
    add(events) {
      state = events.reduce(reduce, state);
    },
    rows: () =>
      conversationRows(state, {
        width: stdout.columns || 80,
        color: !isPlain && wantsColor(flags.color, stdout, env),
        isPlain,
        isFull: flags.full ?? false,
      }),
  };
}
