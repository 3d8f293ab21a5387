/** The README says what the code does: its tables are made from it, by `npm run readme:update`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { capabilityTable } from '../src/cli/capability-table.js';
import { EXIT_STATUSES } from '../src/cli/exit-status.js';

test('the table of agents is the list of agents', () => {
  const { head, rows, limits } = capabilityTable();
  const cells = rows.map(({ title, name, cells: own }) => [`${title} (\`${name}\`)`, ...own]);
  expectSection('agents', `${table(['agent', ...head], cells)}\n${limits.map((limit) => `- ${limit}\n`).join('')}`);
});

test('the table of exit statuses is the one of the command line', () => {
  const rows = EXIT_STATUSES.map(([status, meaning]) => [String(status), meaning]);
  expectSection('exit status', table(['status', 'meaning'], rows));
});

test('what the documents link to is there', () => {
  for (const document of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']) {
    const text = readFileSync(document, 'utf8');
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target ?? '');
    const paths = [...text.matchAll(/`((?:src|test|scripts|bench|conform)\/[\w./-]+)`/g)].map(([, path]) => path ?? '');
    expect([...links, ...paths].filter((path) => !existsSync(path))).toEqual([]);
  }
});

/** What stands between `<!-- name -->` and `<!-- end -->`. */
function expectSection(name: string, content: string): void {
  const [start, end] = [`<!-- ${name} -->\n`, '<!-- end -->'];
  const [before = '', rest = ''] = readFileSync('README.md', 'utf8').split(start);
  const after = rest.slice(rest.indexOf(end));
  if (process.env.GLASSBOX_UPDATE_README) writeFileSync('README.md', before + start + content + after);
  expect(readFileSync('README.md', 'utf8')).toBe(before + start + content + after);
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
