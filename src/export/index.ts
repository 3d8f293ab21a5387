/** Sessions elsewhere: as a file that somebody else can read. Events are redacted already; nothing is added. */
import type { AgentEvent } from '../event/index.js';
import { createDocument } from './document.js';
import { toHtml } from './html.js';
import { toMarkdown } from './markdown.js';
import { visible } from './visible.js';

export interface ExportOptions {
  format: 'html' | 'markdown';
  title: string;
}

export function exportSession(events: readonly AgentEvent[], { format, title }: ExportOptions): string {
  const document = createDocument(events, title);
  return visible(format === 'html' ? toHtml(document) : toMarkdown(document));
}
