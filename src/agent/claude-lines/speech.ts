/** Reads what a Claude-like agent says: assistant lines block by block, and the stream events before them. */
import { type Json, lookUp, number, object, objects, string } from '../field.js';
import type { Scribe } from '../scribe.js';
import { contentAttachments, contentText } from './content.js';
import { createMessages, type Message, type Messages } from './messages.js';
import { createOpenTools, type OpenTool, type OpenTools, type ToolTable } from './open-tools.js';
import { readUsage as readApiUsage } from './usage.js';

export interface Speech {
  readonly messages: Messages;
  readonly tools: OpenTools;
  /** One assistant line; gives where its blocks went, for retractions. */
  assistant(line: AssistantLine, bytes: number): Spoken[];
  streamEvent(event: Json, parent: string | undefined, bytes: number): void;
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

export interface SpeechOptions {
  scribe: Scribe;
  table: ToolTable;
  /** The arguments of a tool call are known: the place for todos and plans. */
  onToolInput?(tool: OpenTool): void;
  /** For agents that count in their own way. */
  readUsage?: typeof readApiUsage;
}

export function createSpeech({ scribe, table, onToolInput, readUsage = readApiUsage }: SpeechOptions): Speech {
  const tools = createOpenTools(scribe, table);
  const messages = createMessages(scribe, (toolId) => tools.close('cancelled', (tool) => tool.id === toolId));

  const toolUse = (message: Message, block: Json, remote: boolean): number => {
    const id = string(block.id) ?? `${message.id}:${message.nextIndex}`;
    const index = messages.tool(message, id);
    const input = object(block.input) ?? {};
    const origin = { parent: message.parent, messageId: message.id, remote: remote || undefined };
    const tool = tools.input(id, string(block.name) ?? 'unknown', input, origin);
    onToolInput?.(tool);
    return index;
  };

  const readBlock = (message: Message, block: Json, line: AssistantLine, bytes: number): number | undefined => {
    const type = string(block.type) ?? '';
    if (type === 'text') {
      return messages.text(message, typeof block.text === 'string' ? block.text : '', line.aborted === true);
    }
    if (type === 'thinking') {
      const more = { durationMs: line.thinkingDurationMs, partial: line.aborted || undefined };
      return messages.thinking(message, typeof block.thinking === 'string' ? block.thinking : '', more);
    }
    if (type === 'redacted_thinking') return messages.thinking(message, '', { redacted: true });
    if (type === 'tool_use') return toolUse(message, block, false);
    if (type === 'server_tool_use' || type === 'mcp_tool_use') return toolUse(message, block, true);
    if (type.endsWith('tool_result')) return toolResult(block, message);
    scribe.write({ type: 'unknown', wireType: 'assistant', wireSubtype: type, bytes }, { parent: message.parent });
    return undefined;
  };

  const toolResult = (block: Json, message: Message): number => {
    const id = string(block.tool_use_id) ?? '';
    const index = messages.tool(message, `result:${id}`);
    const failed = block.is_error === true || string(object(block.content)?.type)?.endsWith('_error') === true;
    const output = contentText(block.content) || searchHits(block.content);
    const attachments = contentAttachments(block.content);
    tools.end(id, { status: failed ? 'failed' : 'ok', output, attachments }, message.parent);
    return index;
  };

  const startBlock = (message: Message, wireIndex: number, block: Json): void => {
    const type = string(block.type) ?? '';
    if (type === 'text') messages.startBlock(message, wireIndex, 'text');
    else if (type === 'thinking' || type === 'redacted_thinking') messages.startBlock(message, wireIndex, 'thinking');
    else if (type.endsWith('tool_use')) {
      const id = string(block.id);
      if (id === undefined) return;
      messages.startBlock(message, wireIndex, 'tool', id);
      const remote = type === 'tool_use' ? undefined : true;
      tools.start(id, string(block.name) ?? 'unknown', { parent: message.parent, messageId: message.id, remote });
    } else if (type.endsWith('tool_result')) {
      messages.startBlock(message, wireIndex, 'tool', `result:${string(block.tool_use_id)}`);
    }
  };

  return {
    messages,
    tools,

    assistant(line, bytes) {
      const id = string(line.message.id) ?? line.fallbackId;
      const model = string(line.message.model);
      const message = messages.open(id, line.parent, model === '<synthetic>' ? undefined : model);
      const stopReason = string(line.message.stop_reason);
      if (stopReason !== undefined) message.stopReason = stopReason;
      if (!message.complete && model !== '<synthetic>') {
        message.usage = readUsage(line.message.usage, stopReason !== undefined) ?? message.usage;
      }
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
        const start = object(event.message) ?? {};
        const message = messages.open(string(start.id) ?? 'message', parent, string(start.model));
        message.usage = readUsage(start.usage, false);
        return;
      }
      const message = messages.current(parent);
      const wireIndex = number(event.index) ?? 0;
      if (type === 'content_block_start') {
        if (message) startBlock(message, wireIndex, object(event.content_block) ?? {});
      } else if (type === 'content_block_delta') {
        if (!message) return;
        const delta = object(event.delta) ?? {};
        const text = lookUp(DELTA_TEXT, string(delta.type))?.(delta);
        if (typeof text === 'string') messages.delta(message, wireIndex, text);
        else if (text === undefined) {
          const wireSubtype = string(delta.type);
          scribe.write({ type: 'unknown', wireType: 'content_block_delta', wireSubtype, bytes }, { parent });
        }
      } else if (type === 'message_delta') {
        if (!message) return;
        const stopReason = string(object(event.delta)?.stop_reason);
        message.stopReason = stopReason ?? message.stopReason;
        // An interrupt prints an empty message_delta: then the counts are still those of the start.
        if (stopReason !== undefined) message.complete = true;
        message.usage = { ...message.usage, ...defined(readUsage(event.usage, stopReason !== undefined)) };
      } else if (type === 'message_stop') {
        if (message) messages.stop(message);
      } else if (type !== 'content_block_stop' && type !== 'ping') {
        scribe.write({ type: 'unknown', wireType: 'stream_event', wireSubtype: type, bytes }, { parent });
      }
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

function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, entry]) => entry !== undefined)) as Partial<T>;
}
