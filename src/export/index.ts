/** Sessions elsewhere: as a file that somebody else can read. Events are redacted already; nothing is added. */
import { type AgentEvent, replaceHostile } from '../event/index.js';
import { createDocument } from './document.js';
import { toHtml } from './html.js';
import { toMarkdown } from './markdown.js';

export { type BriefOptions, briefOf } from './brief.js';

export interface ExportOptions {
  format: 'html' | 'markdown';
  title: string;
}

export function exportSession(events: readonly AgentEvent[], { format, title }: ExportOptions): string {
  const document = createDocument(events, title);
  return visible(format === 'html' ? toHtml(document) : toMarkdown(document));
}

/** What could mislead, in a browser as in a terminal, becomes U+FFFD. Nothing goes: what one field begins, another could end. */
function visible(text: string): string {
  return replaceHostile(text.replace(/\r\n?/g, '\n'), '\ufffd');
}
