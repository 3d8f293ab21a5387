/** Markdown is read within bounds: what would take time by the square of its length, or never come back, stays as it is written. */
import type { Token } from 'marked';
import { describe, expect, test } from 'vitest';
import { emptyMarkdown, growMarkdown } from '../../src/view/web/text/markdown-blocks.js';
import { readMarkdown, WRITTEN } from '../../src/word/read-markdown.js';

const BOLD = '**bold**';

/** What took seconds to minutes at this length; behind it stand words that would be bold if it had been read. */
describe.each([
  ['emphasis that is never closed', '_a'.repeat(20_000)],
  ['stars and underlines', `a ${'*'.repeat(20_000)} b${'_'.repeat(20_000)}`],
  ['marks of pictures', '!'.repeat(40_000)],
  ['the end of an address', `https://a${'?!'.repeat(20_000)}`],
  ['entities at the end of an address', `https://a${'&a;'.repeat(10_000)}`],
  ['a word that may be an address', `${'a.'.repeat(20_000)}@`],
  ['many such paragraphs', `${'_a'.repeat(3_000)}\n\n`.repeat(20)],
  ['quotations that go on without their sign', '> a\nb\n'.repeat(20_000)],
  ['quotations in quotations', '> '.repeat(10_000)],
  ['lists in lists', '- '.repeat(10_000)],
  ['numbers in numbers', '1. '.repeat(10_000)],
])('%s', (_, hostile) => {
  const text = `${hostile} ${BOLD}`;

  test('stay as they are written, and nothing is lost', () => {
    const tokens = readMarkdown(text);
    expect(rawOf(tokens)).toBe(text);
    expect(typesIn(tokens)).not.toContain('strong');
  });

  test('are shown while they grow, too', () => {
    expect(growMarkdown(emptyMarkdown, text, false).blocks.length).toBeGreaterThan(0);
  });
});

test('brackets without end are not mended while they grow', () => {
  const text = '['.repeat(30_000) + ']'.repeat(30_000);
  expect(rawOf(growMarkdown(emptyMarkdown, text, false).blocks.map(({ token }) => token))).toBe(text);
});

test('what comes before and after is read all the same', () => {
  const types = readMarkdown(`# Title\n\n${'_a'.repeat(15_000)}\n\n- ${BOLD}\n`).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['heading', WRITTEN, 'list']));
});

test('a long text is read whole, with its code, however long that is', () => {
  const code = `\`\`\`\`ts\nconst a = 1;\n\n\`\`\`\n~~~~\n${'const b = [1, 2];\n\n'.repeat(3_000)}\`\`\`\`\n`;
  const text = `${`Some ${BOLD} words.\n\n- one\n- two\n\n`.repeat(2_000)}${code}\n## The end\n`;
  const tokens = readMarkdown(text);
  expect(rawOf(tokens)).toBe(text);
  const types = typesIn(tokens);
  expect(types.filter((type) => type === 'strong')).toHaveLength(2_000);
  expect(types.filter((type) => type === 'code')).toHaveLength(1);
  expect(types).not.toContain(WRITTEN);
  expect(types.at(-1)).toBe('text');
});

test('tags that would be a million elements are text; those that people write stay', () => {
  const open = Array.from({ length: 300 }, (_, n) => `<b class=b${n}>`).join('');
  const [few = [], many = []] = [
    `<details><summary>More</summary></details>\n\na<br>b`,
    `<p>${open}</p>${'<p>x</p>'.repeat(300)}\n\na<br>b`,
  ].map((text) => typesIn(readMarkdown(text)));
  expect(few.filter((type) => type === 'html')).toHaveLength(2);
  expect(many).not.toContain('html');
});

test('a table whose short rows would be millions of cells stays as it is written; others are read', () => {
  const table = (columns: number, row: string, rows: number) =>
    `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${row.repeat(rows)}`;
  expect(typesIn(readMarkdown(table(1_000, 'a\n', 1_000)))).toEqual([WRITTEN]);
  expect(typesIn(readMarkdown(table(1_000, 'a\n', 1_000).replace(/^/gm, '> ')))).toEqual([WRITTEN]);
  expect(typesIn(readMarkdown(table(12, '| a cell'.repeat(12).concat('|\n'), 150)))).toContain('table');
});

test('an address that many references repeat is written out a few times', () => {
  const text = `${'[x] '.repeat(500)}\n\n[x]: https://x.example/${'a'.repeat(5_000)}`;
  const links = typesIn(readMarkdown(text)).filter((type) => type === 'link');
  expect(links.length).toBeGreaterThan(10);
  expect(links.length).toBeLessThan(100);
});

test('levels that people write are read', () => {
  const list = Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- ${BOLD}`).join('\n');
  expect(typesIn(readMarkdown(list)).filter((type) => type === 'strong')).toHaveLength(20);
});

const rawOf = (tokens: readonly Token[]): string => tokens.map(({ raw }) => raw).join('');

function typesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => [
    token.type,
    ...typesIn('items' in token ? token.items : 'tokens' in token ? (token.tokens ?? []) : []),
  ]);
}
