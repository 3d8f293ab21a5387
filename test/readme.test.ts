/** The documents say what the code does: tables are made from it, by `npm run readme:update`, and links lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS, howToGet } from '../src/agent/index.js';
import { capabilityTable } from '../src/cli/command/doctor/capability-table.js';
import { EXIT_STATUSES } from '../src/cli/exit-status.js';
import { CAUSE_MEANINGS, CAUSE_NAMES, CAUSES } from '../src/ledger/index.js';
import { expectSection, table } from './support/section.js';

test('the table of agents is the list of agents', () => {
  const { head, rows, limits } = capabilityTable();
  const cells = rows.map(({ title, name, cells: own }) => [`${title} (\`${name}\`)`, ...own]);
  const content = table(['agent', ...head], cells);
  expectSection('README.md', 'agents', content);
  expectSection('docs/agents.md', 'agents', `${content}\n${limits.map((limit) => `- ${limit}\n`).join('')}`);
});

test('how to get each agent is what the doctor says', () => {
  const rows = AGENTS.map((agent) => [
    agent.title,
    `\`${agent.name}\``,
    howToGet(agent.program).replaceAll('|', '\\|'),
  ]);
  expectSection('docs/agents.md', 'installs', table(['agent', 'name', 'how to get it'], rows));
});

test('the table of exit statuses is the one of the command line', () => {
  const rows = EXIT_STATUSES.map(([status, meaning]) => [String(status), meaning]);
  expectSection('README.md', 'exit status', table(['status', 'meaning'], rows));
});

test('the table of causes is the one of the ledger', () => {
  const rows = CAUSES.map((cause) => [CAUSE_NAMES[cause], `\`${cause}\``, CAUSE_MEANINGS[cause]]);
  expectSection('docs/cost.md', 'causes', table(['cause', 'in JSON', 'what it is'], rows));
});

const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'examples/README.md', ...docs()];

test.each(documents)('what %s links to is there', (document) => {
  const text = readFileSync(document, 'utf8');
  const folder = path.dirname(document);
  const links = [...text.matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g)].map(([, target = '']) => path.join(folder, target));
  const paths = [...text.matchAll(/`((?:src|test|scripts|bench|conform|examples|smoke|peers|docs)\/[\w./-]+)`/g)];
  expect([...links, ...paths.map(([, target = '']) => target)].filter((target) => !existsSync(target))).toEqual([]);
});

test('every document is reached from the README', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(docs().filter((document) => !readme.includes(`(${document})`))).toEqual([]);
});

test('decisions are cited by their names', () => {
  const numbered = documents.filter((document) => /\bdecision \d/i.test(readFileSync(document, 'utf8')));
  expect(numbered).toEqual([]);
});

function docs(): string[] {
  const names = readdirSync('docs').filter((name) => name.endsWith('.md'));
  return names.map((name) => `docs/${name}`);
}
