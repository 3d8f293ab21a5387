/** `glassbox search`: each session that was found, with the lines that matched. */
import { homedir } from 'node:os';
import stringWidth from 'fast-string-width';
import { formatAgo } from '../../../client/moment.js';
import type { SearchHit, SearchMatch, SearchQuery, Store } from '../../../store/index.js';
import { cutToWidth } from '../../../view/text/cut-to-width.js';
import { createPaint, type Paint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { filterOf } from '../../flag/filter-flag.js';
import { withStore } from '../../kept/with-store.js';
import { wantsColor } from '../../print/color.js';
import { note } from '../../print/note.js';
import { projectName } from '../../print/session-cell.js';
import { print } from '../../print/sink.js';
import { emptyText } from '../sessions/list-sessions.js';
import type { SearchFlags } from './command.js';
import { hitLine } from './hit-line.js';

export async function searchSessions(this: Context, flags: SearchFlags, ...words: string[]): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const query: SearchQuery = { ...filterOf(flags, this.process), text: words.join(' '), limit: flags.limit };
  if (flags.tool !== undefined) query.tool = flags.tool;
  if (flags.in) query.fields = [flags.in];
  if (flags.newest) query.order = 'newest';
  await withStore(flags, async (store) => {
    const { items, sessions, events } = await store.search(query);
    if (flags.json)
      return print(
        stdout,
        items.map((match) => safeJson({ schema: 1, ...match })),
      );
    const paint = createPaint(wantsColor(flags.color, stdout, env));
    const width = stdout.columns || Number.POSITIVE_INFINITY;
    const [first = [], ...others] = items.map((match) => matchLines(match, paint, width));
    await print(stdout, [...first, ...others.flatMap((lines) => ['', ...lines])]);
    if (items.length === 0) note(stderr, await nothingText(store, words));
    else note(stderr, `${amount(events, 'match', 'matches')} in ${amount(sessions, 'session', 'sessions')}.`);
  });
}

async function nothingText(store: Store, [first = '']: readonly string[]): Promise<string> {
  const { items } = await store.list({ limit: 1 });
  if (items.length === 0) return emptyText(store);
  // Words are whole words: a part of one is found only with a star.
  return `nothing found. ${/^\w{4,}$/.test(first) ? `Try a beginning: glassbox search '${first.slice(0, 4)}*'` : 'Try fewer words.'}`;
}

function matchLines({ session, events, hits }: SearchMatch, paint: Paint, width: number): string[] {
  const { id, agent, cwd, title, updatedAt } = session;
  const facts = [formatAgo(updatedAt), safeLine(agent, 16), projectName(cwd, homedir())].filter(Boolean).join('  ');
  const more = events > hits.length ? [paint('quiet', `${INDENT}and ${events - hits.length} more`)] : [];
  const lines = hits.map((hit) => {
    const name = cutToWidth(label(hit), Math.max(SHORTEST_LABEL, Math.floor(width / 3)));
    const room = width - INDENT.length - stringWidth(name) - GAP.length;
    return `${INDENT}${paint('tool', name)}${GAP}${hitLine(hit.snippet, paint, room)}`;
  });
  return [
    `${paint('prefix', id)}${GAP}${cutToWidth(safeLine(title, 100) || '(no prompt)', width - stringWidth(id) - GAP.length)}`,
    `${INDENT}${paint('quiet', cutToWidth(facts, width - INDENT.length))}`,
    // The same line may have been said several times.
    ...new Set(lines),
    ...more,
  ];
}

const INDENT = '    ';
const GAP = '  ';
const SHORTEST_LABEL = 8;

/** What it is for people; fields are what can be searched. */
function label({ type, field, tool }: SearchHit): string {
  if (field === 'input' || field === 'output') return `${safeLine(tool ?? 'tool', 30)} ${field}`;
  return LABELS[type] ?? field;
}

const LABELS: Readonly<Partial<Record<SearchHit['type'], string>>> = {
  'approval-request': 'question',
  'approval-resolve': 'answer',
  'agent-error': 'error',
};

function amount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
