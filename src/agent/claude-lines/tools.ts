import type { Attachment, ToolStatus } from '../../event/index.js';
import { type Json, objects, string } from '../field.js';
import { contentText } from './content.js';

/** The `tool_result` blocks of a user line, and the text of its other blocks. */
export function splitUserContent(content: unknown): { results: ToolResult[]; text: string } {
  if (typeof content === 'string') return { results: [], text: content };
  const results: ToolResult[] = [];
  const rest: Json[] = [];
  for (const block of objects(content)) {
    const id = string(block.tool_use_id);
    if (block.type !== 'tool_result') rest.push(block);
    else if (id !== undefined) {
      results.push({ id, content: block.content, text: contentText(block.content), failed: block.is_error === true });
    }
  }
  return { results, text: contentText(rest) };
}

export interface ToolResult {
  id: string;
  content: unknown;
  text: string;
  failed: boolean;
}

/** What an agent reads out of a result's text, because its own flag does not tell. */
export interface ResultReading {
  status: ToolStatus;
  output: string;
  exitCode?: number | undefined;
  attachments?: Attachment[] | undefined;
  taskId?: string | undefined;
}
