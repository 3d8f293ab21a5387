/**
 * Puts assistant messages together: one message comes as many lines, one per block, and with partial messages its
 * deltas come first. Whole blocks replace their deltas; a message starts and ends once (wire/claude, pitfalls 6, 16).
 */
import type { Usage } from '../../event/index.js';
import { createRecentMap } from '../recent.js';
import type { Scribe } from '../scribe.js';

type BlockKind = 'text' | 'thinking' | 'tool';

interface OpenBlock {
  readonly kind: BlockKind;
  readonly index: number;
  /** Deltas so far, joined only if the whole block never comes. */
  readonly fragments: string[];
  readonly toolId: string | undefined;
}

export interface Message {
  readonly id: string;
  readonly parent: string | undefined;
  readonly turn: number;
  model: string | undefined;
  usage: Usage | undefined;
  stopReason: string | undefined;
  /** A `message_delta` told how it ended, so nothing of it is missing. */
  complete: boolean;
  /** A whole block of it has been seen. */
  spoken: boolean;
  nextIndex: number;
  /** Blocks whose deltas come now, by the wire's index. */
  readonly streaming: Map<number, OpenBlock>;
}

export interface Messages {
  /** The message that this speaker is in the middle of. */
  current(parent: string | undefined): Message | undefined;
  /** The message with this id, started if it is new; ends the speaker's previous one. */
  open(id: string, parent: string | undefined, model: string | undefined): Message;
  startBlock(message: Message, wireIndex: number, kind: BlockKind, toolId?: string): OpenBlock;
  delta(message: Message, wireIndex: number, text: string): void;
  text(message: Message, text: string, partial: boolean): number;
  thinking(
    message: Message,
    text: string,
    more: { redacted?: boolean; durationMs?: number; partial?: boolean },
  ): number;
  /** The whole block of a tool call has come. */
  tool(message: Message, toolId: string): number;
  /** The wire says that the message is over. */
  stop(message: Message): void;
  /** Ends a speaker's message; deltas without their whole block become partial text. */
  end(parent: string | undefined): void;
  endAll(): void;
}

export function createMessages(scribe: Scribe, onLostTool: (toolId: string) => void): Messages {
  const bySpeaker = new Map<string | undefined, Message>();
  /** Ended messages with the index that a late block would get. */
  const ended = createRecentMap<number>(256);

  const takeBlock = (message: Message, matches: (block: OpenBlock) => boolean): OpenBlock | undefined => {
    for (const [wireIndex, block] of message.streaming) {
      if (!matches(block)) continue;
      message.streaming.delete(wireIndex);
      return block;
    }
    return undefined;
  };

  const takeIndex = (message: Message, kind: BlockKind): number => {
    message.spoken = true;
    return takeBlock(message, (block) => block.kind === kind)?.index ?? message.nextIndex++;
  };

  const finish = (message: Message): void => {
    bySpeaker.delete(message.parent);
    for (const block of message.streaming.values()) closeCut(message, block);
    message.streaming.clear();
    const again = ended.has(message.id);
    ended.set(message.id, message.nextIndex);
    if (again) return;
    const { id: messageId, model, usage, stopReason } = message;
    scribe.write({ type: 'message-end', messageId, model, usage, stopReason }, message);
  };

  const closeCut = (message: Message, block: OpenBlock): void => {
    const text = block.fragments.join('');
    const { index } = block;
    const { id: messageId } = message;
    const partial = message.complete ? undefined : true;
    if (block.kind === 'text' && text !== '') {
      scribe.write({ type: 'text-end', messageId, index, text, partial }, message);
    } else if (block.kind === 'thinking') {
      scribe.write({ type: 'thinking-end', messageId, index, text, partial }, message);
    } else if (block.toolId !== undefined) {
      onLostTool(block.toolId);
    }
  };

  const retract = (message: Message): void => {
    for (const block of message.streaming.values()) if (block.toolId !== undefined) onLostTool(block.toolId);
    message.streaming.clear();
    bySpeaker.delete(message.parent);
    ended.set(message.id, message.nextIndex);
    scribe.write({ type: 'message-retract', messageId: message.id, why: 'stream-broken' }, message);
  };

  const messages: Messages = {
    current: (parent) => bySpeaker.get(parent),

    open(id, parent, model) {
      const current = bySpeaker.get(parent);
      if (current?.id === id) return current;
      for (const other of bySpeaker.values()) if (other.id === id) return other;
      if (current) finish(current);
      const message: Message = {
        id,
        parent,
        turn: scribe.turn,
        model,
        usage: undefined,
        stopReason: undefined,
        complete: false,
        spoken: false,
        nextIndex: ended.get(id) ?? 0,
        streaming: new Map(),
      };
      bySpeaker.set(parent, message);
      if (!ended.has(id)) scribe.write({ type: 'message-start', messageId: id, model }, { parent });
      return message;
    },

    startBlock(message, wireIndex, kind, toolId) {
      const lost = message.streaming.get(wireIndex);
      if (lost && lost.kind === kind && lost.toolId === toolId && lost.fragments.length === 0) return lost;
      if (lost) closeCut(message, lost);
      // Some speakers count from 0 again within one message.
      const index = Math.max(wireIndex, message.nextIndex);
      message.nextIndex = index + 1;
      const block: OpenBlock = { kind, index, fragments: [], toolId };
      message.streaming.set(wireIndex, block);
      if (kind === 'thinking') {
        scribe.write({ type: 'thinking-start', messageId: message.id, index }, message);
      }
      return block;
    },

    delta(message, wireIndex, text) {
      const block = message.streaming.get(wireIndex);
      if (!block || text === '') return;
      const { index } = block;
      if (block.kind === 'tool') {
        if (block.toolId !== undefined) {
          scribe.write({ type: 'tool-input-delta', id: block.toolId, text }, message);
        }
        return;
      }
      block.fragments.push(text);
      const type = block.kind === 'text' ? 'text-delta' : 'thinking-delta';
      scribe.write({ type, messageId: message.id, index, text }, message);
    },

    text(message, text, partial) {
      const index = takeIndex(message, 'text');
      scribe.write({ type: 'text-end', messageId: message.id, index, text, partial: partial || undefined }, message);
      return index;
    },

    thinking(message, text, more) {
      const started = takeBlock(message, (block) => block.kind === 'thinking');
      message.spoken = true;
      const index = started?.index ?? message.nextIndex++;
      const { id: messageId } = message;
      if (!started) scribe.write({ type: 'thinking-start', messageId, index }, message);
      scribe.write({ type: 'thinking-end', messageId, index, text, ...more }, message);
      return index;
    },

    tool(message, toolId) {
      message.spoken = true;
      return takeBlock(message, (block) => block.toolId === toolId)?.index ?? message.nextIndex++;
    },

    stop(message) {
      if (message.streaming.size === 0) finish(message);
      // A broken stream ends without saying how; what came of it will be said again under another id.
      else if (!message.complete && !message.spoken) retract(message);
      else if (!message.complete) finish(message);
    },

    end(parent) {
      const message = bySpeaker.get(parent);
      if (message) finish(message);
    },

    endAll() {
      for (const message of bySpeaker.values()) finish(message);
    },
  };
  return messages;
}
