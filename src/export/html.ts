import { type Document, type Part, speakerOf, type ToolPart } from './document.js';
import { STYLE } from './style.js';

/** The document as one HTML file: no script, no request, readable in light and dark and on paper. */
export function toHtml({ title, facts, parts }: Document): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1><p>${facts.map(escapeHtml).join(' · ')}</p></header>
<main>
${parts.map(section).join('\n')}
</main>
<footer><p>Exported by glassbox</p></footer>
</body>
</html>
`;
}

function section(part: Part): string {
  const depth = part.depth > 0 ? ` style="margin-left: ${Math.min(part.depth, 8) * 1.5}rem"` : '';
  return `<section class="${part.kind}"${depth}>${content(part)}</section>`;
}

function content(part: Part): string {
  if (part.kind === 'tool') return toolBlock(part);
  if (part.kind === 'note') return `<p class="${part.level}">${escapeHtml(part.text)}</p>`;
  if (part.kind === 'thinking') return `<details><summary>Thinking</summary>${pre(part.text)}</details>`;
  const cut = part.partial ? '<p class="quiet">cut off</p>' : '';
  return `${part.kind === 'prompt' ? `<h2>${speakerOf(part)}</h2>` : ''}<div class="text">${escapeHtml(part.text)}</div>${cut}`;
}

function toolBlock({ title, status, input, output, diffs, images }: ToolPart): string {
  const inside = [
    ...(diffs.length > 0 ? diffs.map(diffBlock) : input === undefined ? [] : [pre(input)]),
    ...(output ? [pre(output)] : []),
    ...images.map((image) => `<img alt="" src="${image}">`),
  ];
  const mark = `<span class="status ${escapeHtml(status)}">${escapeHtml(status)}</span>`;
  return `<details><summary><code>${escapeHtml(title)}</code> ${mark}</summary>${inside.join('')}</details>`;
}

function diffBlock(diff: string): string {
  const lines = diff.split('\n').map((line) => {
    const kind = line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : undefined;
    return kind ? `<${kind}>${escapeHtml(line)}</${kind}>` : escapeHtml(line);
  });
  return `<pre class="diff">${lines.join('\n')}</pre>`;
}

const pre = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;

const NAMES: Record<string, string> = { '&': '&#38;', '<': '&#60;', '>': '&#62;', '"': '&#34;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => NAMES[character] ?? character);
}
