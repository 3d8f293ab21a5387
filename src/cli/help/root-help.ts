/** What `glassbox --help` says: what it is for, the commands in their groups, three things to try. */
import packageJson from '../../../package.json' with { type: 'json' };
import { COMMAND_GROUPS } from './command-group.js';
import type { Entry, HelpPage } from './help-page.js';

const EXAMPLES = `  glassbox run claude "Fix the failing test"
  claude -p "Fix it" --output-format stream-json --verbose | glassbox
  glassbox help run`;

/** `briefOf`: what a command says of itself. */
export function rootHelp(page: HelpPage, briefOf: (name: string) => string): string[] {
  const groups = COMMAND_GROUPS.map(([title, lines]): [string, Entry[]] => [
    title,
    lines.map(({ names, brief }) => [names.join(', '), brief ?? briefOf(names[0] ?? '')]),
  ]);
  const names = groups.flatMap(([, entries]) => entries.map(([name]) => name));
  return [
    ...page.prose(packageJson.description),
    '',
    ...groups.flatMap(([title, entries]) => [page.heading(title), ...page.entries(entries, names), '']),
    page.heading('Examples'),
    ...page.prose(EXAMPLES),
    '',
    ...page.prose('More: glassbox help <command>, glassbox help exit-status'),
  ];
}
