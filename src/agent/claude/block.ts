/** Helpers over wire events: on a missing or null part each gives its zero value and never throws. */
import { isObject } from '../field.js';
import type { WireBlock, WireEvent } from './wire.js';

type TextBlock = WireBlock & { type: 'text'; text: string };
type ToolUseBlock = WireBlock & { type: 'tool_use' };
type ToolResultBlock = WireBlock & { type: 'tool_result' };

/** Whether a block is text. */
export const isText = (block: WireBlock): block is TextBlock => block?.type === 'text';

/** Whether a block calls a tool. */
export const isToolUse = (block: WireBlock): block is ToolUseBlock => block?.type === 'tool_use';

/** Whether a block is what a tool gave back. */
export const isToolResult = (block: WireBlock): block is ToolResultBlock => block?.type === 'tool_result';

/** The tool calls of an assistant event; none on any other. */
export function toolUseBlocks(event: WireEvent): ToolUseBlock[] {
  return event?.type === 'assistant' ? blocks(event).filter(isToolUse) : [];
}

/** The tool results of a user event; none on any other. */
export function toolResultBlocks(event: WireEvent): ToolResultBlock[] {
  return event?.type === 'user' ? blocks(event).filter(isToolResult) : [];
}

/** All text of an event, joined without separator. */
export function textContent(event: WireEvent): string {
  const content = event?.message?.content;
  if (typeof content === 'string') return content;
  return blocks(event)
    .filter(isText)
    .map((block) => block.text ?? '')
    .join('');
}

/** A tool call's arguments as JSON with two spaces; a string stays as it is. */
export function inputString(block: WireBlock): string {
  const input = block?.input;
  if (input === undefined || input === null) return '';
  return typeof input === 'string' ? input : JSON.stringify(input, null, 2);
}

/** A tool result's content: a string as it is, anything else as JSON. */
export function contentString(block: WireBlock): string {
  const content = block?.content;
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function blocks(event: WireEvent): WireBlock[] {
  const content = event?.message?.content;
  return Array.isArray(content) ? content.filter((block): block is WireBlock => isObject(block)) : [];
}
