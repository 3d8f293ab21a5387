/** Message and tool result content: a string, or a list of blocks of which only text is text. */
import { type Attachment, defined } from '../../event/index.js';
import { isPicture, type Said } from '../attachment.js';
import { isObject, type Json, object, objects, string } from '../field.js';

/** What a person says, as a line for the agent has it: words alone, or blocks with what is attached before them. */
export function spokenContent({ text, attachments }: Said): string | Json[] {
  if (!attachments?.length) return text;
  const blocks = attachments.map(({ mimeType, data }) => ({
    type: isPicture(mimeType) ? 'image' : 'document',
    source: { type: 'base64', media_type: mimeType, data },
  }));
  return [...blocks, { type: 'text', text }];
}

export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  let text: string | undefined;
  for (const block of objects(content)) {
    const part = blockText(block);
    if (part !== undefined) text = text === undefined ? part : `${text}\n${part}`;
  }
  if (text !== undefined) return text;
  return isObject(content) ? (blockText(content) ?? JSON.stringify(content)) : '';
}

export function contentAttachments(content: unknown): Attachment[] | undefined {
  let found: Attachment[] | undefined;
  for (const block of objects(content)) {
    const attachment = readAttachment(block);
    if (attachment) {
      found ??= [];
      found.push(attachment);
    }
  }
  return found;
}

function blockText(block: Json): string | undefined {
  if (typeof block.text === 'string') return block.text;
  if (block.type === 'tool_reference') return string(block.tool_name);
  return undefined;
}

function readAttachment(block: Json): Attachment | undefined {
  if (block.type !== 'image' && block.type !== 'document' && block.type !== 'resource') return undefined;
  const source = object(block.source) ?? block;
  const data = string(source.data) ?? string(source.base64);
  return defined({
    kind: block.type,
    mimeType: string(source.media_type) ?? string(source.mimeType),
    data,
    uri: string(source.url) ?? string(source.uri),
    bytes: data === undefined ? undefined : Math.floor((data.length * 3) / 4),
  });
}
