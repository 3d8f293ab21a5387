/** What an agent said or thought last before a call, and what it had been asked. */
import {
  MAIN_THREAD,
  type Message,
  messageParts,
  rowAt,
  type SessionState,
  type Tool,
  values,
} from '../session/index.js';

export interface Reasons {
  /** What was asked in the turn of the call. */
  prompt?: string;
  /** The agent's words before the call, or what it thought. */
  said?: string;
}

export function reasonsOf(state: SessionState, tool: Tool): Reasons {
  const reasons: Reasons = {};
  for (const message of values(state.messages.rows)) {
    if (message.role === 'user') {
      const isAsked =
        message.run === tool.run && message.thread === MAIN_THREAD && !message.synthetic && !message.replay;
      const text = isAsked && message.turn <= tool.turn ? textsOf(message).at(-1) : undefined;
      if (text !== undefined) reasons.prompt = text;
      continue;
    }
    if (message.run !== tool.run || message.thread !== tool.thread || message.turn > tool.turn) continue;
    for (const part of messageParts(message)) {
      if (part.kind === 'call' && rowAt(state.tools, part.tool)?.id === tool.id) return reasons;
      if (part.kind === 'block' && part.block.text.trim() !== '') reasons.said = part.block.text;
    }
  }
  return reasons;
}

function textsOf(message: Message): string[] {
  return [...values(message.blocks)].map(({ text }) => text).filter((text) => text.trim() !== '');
}
