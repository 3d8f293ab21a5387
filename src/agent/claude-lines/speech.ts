/**
 * Reads what a Claude-like agent says. One message comes as many lines, one per block, and with partial messages the deltas of its
 * blocks come first; each block is given one place in its message, whichever comes.
 */
import type { Usage } from '../../event/index.js';
import type { BlockKind, Chronicle, OpenTool } from '../chronicle/chronicle.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import { createRecentMap } from '../recent.js';
import { contentAttachments, contentText } from './content.js';
import { readUsage as readApiUsage } from './usage.js';

export interface Speech {
  /** The message that this speaker is in the middle of. */
  current(parent: string | undefined): Message | undefined;
  /** One assistant line; gives where its blocks went, for retractions. */
  assistant(line: AssistantLine, bytes: number): Spoken[];
  streamEvent(event: Json, parent: string | undefined, bytes: number): void;
  /** Nothing more comes of a speaker's message; deltas without their whole block are partial text. */
  end(parent: string | undefined): void;
}

export interface AssistantLine {
  message: Json;
  /** Used when the message has no id of its own. */
  fallbackId: string;
  parent: string | undefined;
  /** The text was cut off by an interrupt. */
  aborted?: boolean;
  thinkingDurationMs?: number | undefined;
}

export interface Spoken {
  messageId: string;
  index: number;
}

export interface Message {
  readonly id: string;
  readonly parent: string | undefined;
  readonly turn: number;
  readonly model: string | undefined;
  usage: Usage | undefined;
  stopReason: string | undefined;
  /** A `message_delta` told how it ended, so nothing of it is missing. */
  complete: boolean;
  /** A whole block of it has been seen. */
  spoken: boolean;
  nextIndex: number;
  /** Blocks whose deltas come now, by the wire's index. */
  readonly streaming: Map<number, StreamingBlock>;
}

interface StreamingBlock {
  readonly kind: BlockKind | 'tool';
  readonly index: number;
  readonly toolId: string | undefined;
  hasGrown: boolean;
}

export interface SpeechOptions {
  /** The arguments of a tool call are known: the place for todos and plans. */
  onToolInput?(tool: OpenTool): void;
  /** For agents that count in their own way. */
  readUsage?: typeof readApiUsage;
}

export function createSpeech(
  chronicle: Chronicle,
  { onToolInput, readUsage = readApiUsage }: SpeechOptions = {},
): Speech {
  const bySpeaker = new Map<string | undefined, Message>();
  /** Of messages that have ended: the place that a late block would get. */
  const places = createRecentMap<number>(256);

  /** The message with this id, started if it is new; ends the speaker's previous one. */
  function open(id: string, parent: string | undefined, model: string | undefined): Message {
    const current = bySpeaker.get(parent);
    if (current?.id === id) return current;
    for (const other of bySpeaker.values()) if (other.id === id) return other;
    if (current) finish(current);
    const nextIndex = places.get(id);
    if (nextIndex === undefined) chronicle.startMessage(id, model, parent);
    else chronicle.continueMessage(id, parent);
    const message: Message = {
      id,
      parent,
      turn: chronicle.turn,
      model,
      usage: undefined,
      stopReason: undefined,
      complete: false,
      spoken: false,
      nextIndex: nextIndex ?? 0,
      streaming: new Map(),
    };
    bySpeaker.set(parent, message);
    return message;
  }

  /** Told at once, because the stream may end before the message does. */
  function learn({ id, model, usage, stopReason, complete }: Message): void {
    chronicle.learnMessage(id, { model, usage, stopReason }, complete);
  }

  function leave(message: Message): void {
    bySpeaker.delete(message.parent);
    places.set(message.id, message.nextIndex);
    for (const block of message.streaming.values()) lose(block);
  }

  function finish(message: Message): void {
    leave(message);
    chronicle.cutMessage(message.id);
  }

  /** The arguments of a call were cut off. */
  function lose({ toolId }: StreamingBlock): void {
    if (toolId !== undefined && chronicle.tool(toolId)) chronicle.endTool(toolId, { status: 'cancelled' });
  }

  function startBlock(message: Message, wireIndex: number, kind: BlockKind | 'tool', toolId?: string): void {
    const lost = message.streaming.get(wireIndex);
    if (lost && lost.kind === kind && lost.toolId === toolId && !lost.hasGrown) return;
    if (lost) {
      const partial = message.complete ? undefined : true;
      if (lost.kind === 'tool') lose(lost);
      else if (lost.kind === 'thinking' || lost.hasGrown)
        chronicle.endText(lost.kind, message.id, lost.index, undefined, message.parent, { partial });
    }
    // Some speakers count from 0 again within one message.
    const index = Math.max(wireIndex, message.nextIndex);
    message.nextIndex = index + 1;
    message.streaming.set(wireIndex, { kind, index, toolId, hasGrown: false });
    if (kind === 'thinking') chronicle.startThinking(message.id, index, message.parent);
  }

  function addDelta(message: Message, wireIndex: number, text: string): void {
    const block = message.streaming.get(wireIndex);
    if (!block || text === '') return;
    block.hasGrown = true;
    if (block.kind !== 'tool') chronicle.addText(block.kind, message.id, block.index, text, message.parent);
    else if (block.toolId !== undefined) chronicle.continueTool({ type: 'tool-input-delta', id: block.toolId, text });
  }

  /** The place of a whole block: that of its deltas, if they came. */
  function placeOf(message: Message, isIt: (block: StreamingBlock) => boolean): number {
    message.spoken = true;
    for (const [wireIndex, block] of message.streaming) {
      if (!isIt(block)) continue;
      message.streaming.delete(wireIndex);
      return block.index;
    }
    return message.nextIndex++;
  }

  function stop(message: Message): void {
    if (message.streaming.size === 0) finish(message);
    else if (message.complete) return;
    else if (message.spoken) finish(message);
    else {
      // A broken stream ends without saying how; what came of it will be said again under another id.
      leave(message);
      chronicle.retractMessage(message.id, 'stream-broken');
    }
  }

  function readBlock(message: Message, block: Json, line: AssistantLine, bytes: number): number | undefined {
    const type = string(block.type) ?? '';
    const partial = line.aborted || undefined;
    if (type === 'text') return say('text', message, block.text, { partial });
    if (type === 'thinking')
      return say('thinking', message, block.thinking, { durationMs: line.thinkingDurationMs, partial });
    if (type === 'redacted_thinking') return say('thinking', message, '', { redacted: true });
    if (type === 'tool_use') return readCall(message, block, undefined);
    if (type === 'server_tool_use' || type === 'mcp_tool_use') return readCall(message, block, true);
    if (type.endsWith('tool_result')) return readResult(message, block);
    chronicle.write({ type: 'unknown', wireType: 'assistant', wireSubtype: type, bytes }, message.parent);
    return undefined;
  }

  function say(kind: BlockKind, message: Message, text: unknown, facts: Parameters<Chronicle['endText']>[5]): number {
    const index = placeOf(message, (block) => block.kind === kind);
    chronicle.endText(kind, message.id, index, anyString(text) ?? '', message.parent, facts);
    return index;
  }

  function readCall(message: Message, block: Json, remote: true | undefined): number {
    const id = string(block.id) ?? `${message.id}:${message.nextIndex}`;
    const index = placeOf(message, ({ toolId }) => toolId === id);
    chronicle.startTool(id, { name: string(block.name) ?? 'unknown', messageId: message.id, remote }, message.parent);
    const tool = chronicle.tool(id);
    if (tool && tool.input === undefined) {
      chronicle.inputTool(id, members(block.input));
      onToolInput?.(tool);
    }
    return index;
  }

  function readResult(message: Message, block: Json): number {
    const id = string(block.tool_use_id) ?? '';
    const index = placeOf(message, ({ toolId }) => toolId === `result:${id}`);
    const failed = block.is_error === true || string(members(block.content).type)?.endsWith('_error') === true;
    const output = contentText(block.content) || searchHits(block.content);
    const attachments = contentAttachments(block.content);
    chronicle.endTool(id, { status: failed ? 'failed' : 'ok', output, attachments }, message.parent);
    return index;
  }

  function readBlockStart(message: Message, wireIndex: number, block: Json): void {
    const type = string(block.type) ?? '';
    const id = string(block.id);
    if (type === 'text') startBlock(message, wireIndex, 'text');
    else if (type === 'thinking' || type === 'redacted_thinking') startBlock(message, wireIndex, 'thinking');
    else if (type.endsWith('tool_use') && id !== undefined) {
      startBlock(message, wireIndex, 'tool', id);
      const remote = type === 'tool_use' ? undefined : true;
      chronicle.startTool(id, { name: string(block.name) ?? 'unknown', messageId: message.id, remote }, message.parent);
    } else if (type.endsWith('tool_result'))
      startBlock(message, wireIndex, 'tool', `result:${string(block.tool_use_id)}`);
  }

  function readDelta(message: Message, wireIndex: number, delta: Json, bytes: number): void {
    const wireSubtype = string(delta.type);
    const text = lookUp(DELTA_TEXT, wireSubtype)?.(delta);
    if (typeof text === 'string') addDelta(message, wireIndex, text);
    else if (text === undefined)
      chronicle.write({ type: 'unknown', wireType: 'content_block_delta', wireSubtype, bytes }, message.parent);
  }

  return {
    current: (parent) => bySpeaker.get(parent),

    assistant(line, bytes) {
      const id = string(line.message.id) ?? line.fallbackId;
      const model = string(line.message.model);
      const message = open(id, line.parent, model === '<synthetic>' ? undefined : model);
      const stopReason = string(line.message.stop_reason);
      if (stopReason !== undefined) message.stopReason = stopReason;
      if (!message.complete && model !== '<synthetic>') {
        message.usage = readUsage(line.message.usage, stopReason !== undefined) ?? message.usage;
      }
      learn(message);
      const spoken: Spoken[] = [];
      const { content } = line.message;
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
      for (const block of blocks) {
        const index = readBlock(message, block, line, bytes);
        if (index !== undefined) spoken.push({ messageId: id, index });
      }
      return spoken;
    },

    streamEvent(event, parent, bytes) {
      const type = string(event.type) ?? '';
      if (type === 'message_start') {
        const start = members(event.message);
        const message = open(string(start.id) ?? 'message', parent, string(start.model));
        message.usage = readUsage(start.usage, false);
        learn(message);
        return;
      }
      const message = bySpeaker.get(parent);
      const wireIndex = number(event.index) ?? 0;
      if (type === 'content_block_start') {
        if (message) readBlockStart(message, wireIndex, members(event.content_block));
      } else if (type === 'content_block_delta') {
        if (message) readDelta(message, wireIndex, members(event.delta), bytes);
      } else if (type === 'message_delta') {
        if (!message) return;
        const stopReason = string(members(event.delta).stop_reason);
        message.stopReason = stopReason ?? message.stopReason;
        // An interrupt prints an empty message_delta: then the counts are still those of the start.
        if (stopReason !== undefined) message.complete = true;
        message.usage = { ...message.usage, ...readUsage(event.usage, stopReason !== undefined) };
        learn(message);
      } else if (type === 'message_stop') {
        if (message) stop(message);
      } else if (type !== 'content_block_stop' && type !== 'ping') {
        chronicle.write({ type: 'unknown', wireType: 'stream_event', wireSubtype: type, bytes }, parent);
      }
    },

    end(parent) {
      const message = bySpeaker.get(parent);
      if (message) finish(message);
    },
  };
}

/** The text of each kind of delta; `null` for kinds that carry nothing to show. */
const DELTA_TEXT: Record<string, (delta: Json) => unknown> = {
  text_delta: (delta) => delta.text ?? '',
  thinking_delta: (delta) => delta.thinking ?? '',
  input_json_delta: (delta) => delta.partial_json ?? '',
  signature_delta: () => null,
  citations_delta: () => null,
};

function searchHits(content: unknown): string {
  return objects(content)
    .map((hit) => [string(hit.title), string(hit.url)].filter(Boolean).join(' '))
    .filter((line) => line !== '')
    .join('\n');
}
