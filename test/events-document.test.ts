/** `docs/events.md` is made from the union's own comments, by `npm run readme:update`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type EventEntry, eventsIn, type Field, type Shape, shapesIn } from './support/event-reference.js';
import { readSources } from './support/source.js';

const FILE = 'docs/events.md';

/** In the order in which a run tells them. */
const FAMILIES: readonly [file: string, title: string][] = [
  ['session', 'Session'],
  ['turn', 'Turns'],
  ['message', 'Messages'],
  ['tool', 'Tool calls'],
  ['work', 'Files, to-do lists, plans, tasks'],
  ['approval', 'Questions and decisions'],
  ['status', 'Status, limits, usage'],
  ['fault', 'Faults'],
  ['run-end', 'The end of a run'],
];

const sources = new Map(readSources('src/event').map((file) => [file.path, file]));

function fileOf(name: string) {
  const file = sources.get(`src/event/${name}.ts`);
  if (!file) throw new Error(`There is no src/event/${name}.ts.`);
  return file;
}

test('every event says why it exists', () => {
  const entries = FAMILIES.flatMap(([name]) => eventsIn(fileOf(name)));
  expect(entries.length).toBeGreaterThan(40);
  expect(entries.filter(({ comment }) => comment === '').map(({ type }) => type)).toEqual([]);
});

test('every file with events is in the document', () => {
  const withEvents = [...sources.values()].filter((file) => eventsIn(file).length > 0);
  expect(withEvents.map(({ path }) => path).sort()).toEqual(FAMILIES.map(([name]) => `src/event/${name}.ts`).sort());
});

test('the document is what the code says', () => {
  const content = documentText();
  if (process.env.GLASSBOX_UPDATE_README) writeFileSync(FILE, content);
  expect(readFileSync(FILE, 'utf8')).toBe(content);
});

function documentText(): string {
  const parts = FAMILIES.map(([name, title]) => {
    const file = fileOf(name);
    return `## ${title}\n\n${eventsIn(file).map(eventText).join('')}${shapesIn(file).map(shapeText).join('')}`;
  });
  const targets = shapesIn(fileOf('target')).map(shapeText).join('');
  const context = shapesIn(fileOf('event')).filter(({ name }) => ['Source', 'Context', 'Cut', 'Stamp'].includes(name));
  return `${INTRODUCTION}${context.map(shapeText).join('')}${parts.join('')}## What a call touches\n\n${targets}`
    .trimEnd()
    .concat('\n');
}

const INTRODUCTION = `# Events

<!-- Made from the comments in \`src/event\` by \`npm run readme:update\`. -->

Every agent is translated into one union, \`AgentEvent\`. \`run()\` and \`decode()\` give these events, \`glassbox --json\` prints them one per line (with
\`schema: 1\`), the store keeps them and the server streams them. Narrow by \`type\`; \`EventOf<'tool-end'>\` is one member. New types and fields may come
with any version: ignore what you do not know. A field that is absent is unknown, never zero or empty.

## What every event has

`;

function eventText({ type, comment, includes, fields }: EventEntry): string {
  const more =
    includes.length > 0 ? `Also has the fields of ${includes.map((name) => `\`${name}\``).join(', ')}.\n\n` : '';
  return `### \`${type}\`\n\n${comment}\n\n${fieldTable(fields)}${more}`;
}

function shapeText({ name, comment, fields, text }: Shape): string {
  const lead = [`**\`${name}\`**`, comment].filter(Boolean).join(': ');
  return `${lead}\n\n${text === undefined ? fieldTable(fields) : `\`\`\`ts\ntype ${name} = ${text}\n\`\`\`\n\n`}`;
}

function fieldTable(fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, optional, type, comment }) => {
    return `| \`${name}${optional ? '?' : ''}\` | \`${type.replaceAll('|', '\\|')}\` | ${comment.replaceAll('|', '\\|')} |\n`;
  });
  return `| field | type | |\n| --- | --- | --- |\n${rows.join('')}\n`;
}
