import { type Document, type Part, speakerOf, type ToolPart } from './document.js';

/** The document as Markdown that reads well unrendered too. */
export function toMarkdown({ title, facts, parts }: Document): string {
  const head = [`# ${squeezed(title)}`, facts.map(squeezed).join(' · ')];
  return `${[...head, ...parts.map(section)].filter((text) => text !== '').join('\n\n')}\n`;
}

function section(part: Part): string {
  const body = content(part);
  if (part.depth === 0) return body;
  const quote = '> '.repeat(part.depth);
  return body.replace(/^/gm, quote);
}

function content(part: Part): string {
  if (part.kind === 'tool') return toolBlock(part);
  if (part.kind === 'note') return `*${squeezed(part.text)}*`;
  if (part.kind === 'thinking') return `<details><summary>Thinking</summary>\n\n${fence(part.text)}\n\n</details>`;
  const text = part.partial ? `${part.text} *(cut off)*` : part.text;
  return part.kind === 'prompt' ? `## ${speakerOf(part)}\n\n${text}` : text;
}

function toolBlock({ title, status, input, output, diffs }: ToolPart): string {
  const blocks = [`**${squeezed(title)}** (${status})`];
  if (diffs.length > 0) blocks.push(...diffs.map((diff) => fence(diff, 'diff')));
  else if (input !== undefined) blocks.push(fence(input, 'json'));
  if (output) blocks.push(fence(output));
  return blocks.join('\n\n');
}

/** Longer than any fence inside, so that nothing inside can end it. */
function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${text.replace(/\n$/, '')}\n${mark}`;
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
