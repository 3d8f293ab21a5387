/** Which help is asked for, and its rows for this terminal. */
import type { Command, RouteMap } from '@stricli/core';
import { createPaint } from '../../view/text/palette.js';
import type { Context } from '../context.js';
import { EXIT_STATUSES } from '../exit-status.js';
import { wantsColor } from '../print/color.js';
import { commandHelp } from './command-help.js';
import { createHelpPage } from './help-page.js';
import { rootHelp } from './root-help.js';

const FLAGS = new Set(['--help', '-h', '--help-all', '--helpAll', '-H']);
const EXIT_STATUS_TOPIC = 'exit-status';

/** Of everything (`''`), of a command or a topic; undefined where no help is asked for. */
export function helpAsked(words: readonly string[]): string | undefined {
  const [first = '', second] = words;
  if (FLAGS.has(first)) return '';
  if (first === 'help') return second === undefined || FLAGS.has(second) ? '' : second;
  const end = words.indexOf('--');
  return words.slice(1, end < 0 ? undefined : end).some((word) => FLAGS.has(word)) ? first : undefined;
}

/** Rows; undefined where there is no such command. */
export function helpText(
  topic: string,
  routes: RouteMap<Context>,
  { stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>,
): string[] | undefined {
  const page = createHelpPage(widthOf(stdout), createPaint(wantsColor('auto', stdout, env)));
  const commandOf = (name: string) => routes.getRoutingTargetForInput(name) as Command<Context> | undefined;
  if (topic === '') return rootHelp(page, (name) => commandOf(name)?.brief ?? '');
  if (topic === EXIT_STATUS_TOPIC)
    return [
      page.heading('Exit status'),
      ...page.entries(EXIT_STATUSES.map(([status, words]) => [String(status), words])),
    ];
  const command = commandOf(topic);
  return command && commandHelp(page, topic, command);
}

/** Longer rows are hard to read; where nobody looks it is as wide as a terminal is. */
function widthOf({ columns }: { columns?: number }): number {
  return Math.min(columns || 80, 100);
}
