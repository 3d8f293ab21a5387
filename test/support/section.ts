/** Parts of documents that are made from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

/** What stands between `<!-- name -->` and `<!-- end -->`; written when `npm run readme:update` asks for it. */
export function expectSection(file: string, name: string, content: string): void {
  const [start, end] = [`<!-- ${name} -->\n`, '<!-- end -->'];
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(start);
  const after = rest.slice(rest.indexOf(end));
  if (process.env.GLASSBOX_UPDATE_README) writeFileSync(file, before + start + content + after);
  expect(readFileSync(file, 'utf8')).toBe(before + start + content + after);
}

export function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
