/** What an agent said or thought last before a call, and what it had been asked. */
import {
  entryAt,
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
  const [prompt, said] = [promptOf(state, tool), saidBefore(state, tool)];
  return { ...(prompt !== undefined && { prompt }), ...(said !== undefined && { said }) };
}

function promptOf(state: SessionState, { run, turn }: Tool): string | undefined {
  let prompt: string | undefined;
  for (const message of values(state.messages.rows)) {
    if (message.role !== 'user' || message.run !== run || message.turn > turn) continue;
    if (message.thread === MAIN_THREAD && !message.synthetic && !message.replay)
      prompt = textsOf(message).at(-1) ?? prompt;
  }
  return prompt;
}

/** In the same turn. A call stands in a message, or beside them where its agent does not say in which. */
function saidBefore(state: SessionState, tool: Tool): string | undefined {
  const items = entryAt(state.threads, tool.thread)?.items;
  let said: string | undefined;
  for (const item of items ? values(items) : []) {
    if (item.kind === 'tool' && rowAt(state.tools, item.number) === tool) return said;
    const message = item.kind === 'message' ? rowAt(state.messages, item.number) : undefined;
    if (message?.role !== 'assistant' || message.run !== tool.run || message.turn !== tool.turn) continue;
    for (const part of messageParts(message)) {
      if (part.kind === 'call' && rowAt(state.tools, part.tool) === tool) return said;
      if (part.kind === 'block' && part.block.text.trim() !== '') said = part.block.text;
    }
  }
  return undefined;
}

function textsOf(message: Message): string[] {
  return [...values(message.blocks)].map(({ text }) => text).filter((text) => text.trim() !== '');
}
