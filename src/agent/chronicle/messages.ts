/** Messages and their blocks: each starts once and ends once. The whole text of a block replaces its deltas. */
import { createRecent } from '../recent.js';
import type { Body } from './body.js';
import type { DraftWriter } from './draft-writer.js';

export type BlockKind = 'text' | 'thinking';

export type MessageFacts = Omit<Body<'message-end'>, 'messageId'>;

/** What is told about a block beside its text. */
export type BlockFacts = Omit<Body<'thinking-end'>, 'messageId' | 'index' | 'text'>;

export interface OpenMessage {
  readonly id: string;
  readonly parent: string | undefined;
  readonly turn: number;
  /** A block that has ended stays as `undefined`, so that a repeated line does not say it twice. */
  readonly blocks: Map<number, OpenBlock | undefined>;
  /** What its end will tell. */
  facts: MessageFacts;
  /** Nothing of it is missing, so that a block without its end is not cut off. */
  isWhole: boolean;
  /** It has ended before; what comes late is told, and that it ended is not told again. */
  readonly isLate: boolean;
}

interface OpenBlock {
  kind: BlockKind;
  parts: string[];
}

export interface Messages {
  readonly open: ReadonlyMap<string, OpenMessage>;
  start(id: string, model?: string, parent?: string): OpenMessage | undefined;
  startLate(id: string, parent?: string): void;
  startThinking(messageId: string, index: number, parent?: string): void;
  addText(kind: BlockKind, messageId: string, index: number, text: string, parent?: string): void;
  endText(kind: BlockKind, messageId: string, index: number, text?: string, parent?: string, facts?: BlockFacts): void;
  learn(id: string, facts: MessageFacts, isWhole: boolean): void;
  end(id: string, facts?: MessageFacts): void;
  /** Nothing more comes of it: what is open of it was cut off, unless it is whole. */
  cut(message: OpenMessage): void;
  /** Ends it without a word. */
  forget(message: OpenMessage): void;
}

export function createMessages(writer: DraftWriter): Messages {
  const open = new Map<string, OpenMessage>();
  const ended = createRecent(1024);

  function add(id: string, parent: string | undefined, isLate: boolean): OpenMessage {
    const message: OpenMessage = {
      id,
      parent,
      turn: writer.turn,
      blocks: new Map(),
      facts: {},
      isWhole: false,
      isLate,
    };
    open.set(id, message);
    return message;
  }

  /** The open message, opened if need be; absent when it has ended, because then the line repeats or comes too late. */
  function start(id: string, model?: string, parent?: string): OpenMessage | undefined {
    const known = open.get(id);
    if (known || ended.has(id)) return known;
    const message = add(id, parent, false);
    writer.write({ type: 'message-start', messageId: id, model }, message);
    return message;
  }

  function openBlock(message: OpenMessage, kind: BlockKind, index: number): OpenBlock | undefined {
    if (message.blocks.has(index)) return message.blocks.get(index);
    const block: OpenBlock = { kind, parts: [] };
    message.blocks.set(index, block);
    if (kind === 'thinking') writer.write({ type: 'thinking-start', messageId: message.id, index }, message);
    return block;
  }

  function close(message: OpenMessage, index: number, block: OpenBlock, text?: string, facts?: BlockFacts): void {
    message.blocks.set(index, undefined);
    const whole = { type: END[block.kind], messageId: message.id, index, text: text ?? block.parts.join('') };
    if (facts) writer.writeWith(whole, facts, message);
    else writer.write(whole, message);
  }

  function forget({ id }: OpenMessage): void {
    open.delete(id);
    ended.add(id);
  }

  function end(message: OpenMessage, facts?: MessageFacts, cut?: BlockFacts): void {
    for (const [index, block] of message.blocks) if (block) close(message, index, block, undefined, cut);
    forget(message);
    if (!message.isLate)
      writer.writeWith(
        { type: 'message-end', messageId: message.id },
        facts ? { ...message.facts, ...facts } : message.facts,
        message,
      );
  }

  return {
    open,
    start,
    startLate(id, parent) {
      if (!open.has(id)) add(id, parent, true);
    },
    startThinking(messageId, index, parent) {
      const message = start(messageId, undefined, parent);
      if (message) openBlock(message, 'thinking', index);
    },
    addText(kind, messageId, index, text, parent) {
      const message = start(messageId, undefined, parent);
      const block = message && openBlock(message, kind, index);
      if (!block) return;
      block.parts.push(text);
      writer.write({ type: DELTA[block.kind], messageId, index, text }, message);
    },
    endText(kind, messageId, index, text, parent, facts) {
      const message = start(messageId, undefined, parent);
      const block = message && openBlock(message, kind, index);
      if (block) close(message, index, block, text, facts);
    },
    learn(id, facts, isWhole) {
      const message = open.get(id);
      if (!message) return;
      message.facts = facts;
      message.isWhole = isWhole;
    },
    end(id, facts) {
      const message = open.get(id);
      if (message) end(message, facts);
    },
    cut: (message) => end(message, undefined, message.isWhole ? undefined : { partial: true }),
    forget,
  };
}

/** Not put together each time: names that are made anew are compared letter by letter by everybody behind. */
const DELTA = { text: 'text-delta', thinking: 'thinking-delta' } as const;
const END = { text: 'text-end', thinking: 'thinking-end' } as const;
