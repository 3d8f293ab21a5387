/** Sessions elsewhere: as a file that somebody else can read. Events are redacted already; nothing is added. */
import stripAnsi from 'strip-ansi';
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

/** Text without colours and escape sequences; what could still mislead, in a browser as in a terminal, becomes U+FFFD. */
function visible(text: string): string {
  return replaceHostile(stripAnsi(text).replace(/\r\n?/g, '\n'), '\ufffd');
}
