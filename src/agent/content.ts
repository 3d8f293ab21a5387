/** Reads the content blocks of the Model Context Protocol, which several agents use for tool results and messages. */
import type { Attachment } from '../event/index.js';
import { anyString, list, lookUp, members, string } from './field.js';

export interface Content {
  text: string;
  attachments?: Attachment[];
}

/** The text of content blocks, and what is no text as attachments. */
export function readContent(blocks: unknown): Content {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const entry of list(blocks)) {
    const block = members(entry);
    const resource = members(block.resource);
    const text = anyString(block.text) ?? anyString(resource.text);
    if (text !== undefined) texts.push(text);
    else if (string(block.type) !== undefined) attachments.push(attachmentOf(block, resource));
  }
  return { text: texts.join('\n'), ...(attachments.length > 0 && { attachments }) };
}

function attachmentOf(
  block: Readonly<Record<string, unknown>>,
  resource: Readonly<Record<string, unknown>>,
): Attachment {
  const attachment: Attachment = { kind: lookUp(KINDS, anyString(block.type)) ?? 'other' };
  const mimeType = anyString(block.mimeType) ?? anyString(resource.mimeType);
  const data = anyString(block.data) ?? anyString(resource.blob);
  const uri = anyString(block.uri) ?? anyString(resource.uri);
  if (mimeType !== undefined) attachment.mimeType = mimeType;
  if (data !== undefined) attachment.data = data;
  if (uri !== undefined) attachment.uri = uri;
  return attachment;
}

const KINDS: Readonly<Record<string, Attachment['kind']>> = {
  image: 'image',
  resource: 'resource',
  resource_link: 'resource',
};
