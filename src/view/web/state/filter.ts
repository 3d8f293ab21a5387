/** Which sessions the list shows: in the words of the command line, and in the address, so that a link leads to the same list. */
import { atom } from 'nanostores';
import { parseAmount } from '../../../client/amount.js';
import type { SessionQuery, SessionRecord, WorktreeInfo } from '../../../client/index.js';
import { parseMoment } from '../../../client/moment.js';
import { END_REASONS } from '../../../event/index.js';
import { originOf } from './origin.js';

/** The flags of `glassbox sessions`, as they are typed there. */
export const FILTER_NAMES = [
  'agent',
  'project',
  'state',
  'outcome',
  'since',
  'until',
  'min-cost',
  'max-cost',
  'pinned',
  'archived',
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];

export type Filter = Partial<Record<FilterName, string>>;

export const STATES = ['running', 'waiting', 'ended'];
export const OUTCOMES: readonly string[] = [...END_REASONS, 'interrupted'];

export const $filter = atom<Filter>({});

/** What the address asked for and nobody can look for, in the words of the command line; told until somebody takes it away. */
export const $misuses = atom<readonly string[]>([]);

/** What is no flag is left out, and what makes no sense as one is told. */
export function filterIn(query: URLSearchParams): { filter: Filter; misuses: string[] } {
  const misuses: string[] = [];
  const pairs = FILTER_NAMES.flatMap((name): [FilterName, string][] => {
    const value = query.get(name);
    if (value === null) return [];
    const misuse = misuseOf(name, value);
    if (misuse === undefined) return [[name, value]];
    misuses.push(misuse);
    return [];
  });
  return { filter: Object.fromEntries(pairs), misuses };
}

/** The address of something with the filter that is chosen now. */
export function withFilter(url: URL, filter: Filter): URL {
  const next = new URL(url);
  for (const name of FILTER_NAMES) {
    const value = filter[name];
    if (value === undefined) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next;
}

export function isFiltering(filter: Filter): boolean {
  return Object.keys(filter).length > 0;
}

export function queryOf(filter: Filter, now: number): Omit<SessionQuery, 'text' | 'limit' | 'cursor'> {
  const moment = (text: string | undefined) => (text === undefined ? undefined : parseMoment(text, now));
  const amount = (text: string | undefined) => (text === undefined ? undefined : parseAmount(text));
  const query = {
    agent: filter.agent,
    project: filter.project,
    state: filter.state as SessionQuery['state'],
    outcome: filter.outcome,
    since: moment(filter.since),
    until: moment(filter.until),
    minUsd: amount(filter['min-cost']),
    maxUsd: amount(filter['max-cost']),
    pinned: filter.pinned === undefined ? undefined : true,
    archived: filter.archived === undefined ? undefined : true,
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** As it is typed behind `glassbox sessions`. */
export function chipText(name: FilterName, value: string): string {
  return name === 'pinned' || name === 'archived' ? name : `${name} ${value}`;
}

export type Grouping = 'none' | 'project' | 'host';

/** What a session stands under; pinned ones come first, whatever they are grouped by. */
export function groupOf(session: SessionRecord, by: Grouping, worktrees: readonly WorktreeInfo[]): string {
  if (session.pinned) return 'Pinned';
  if (by === 'none') return '';
  if (by === 'project') return originOf(session.cwd, worktrees)?.folder ?? 'No folder';
  const host = session.runs.findLast(({ owner }) => owner !== undefined)?.owner?.host;
  return host?.split(' ')[0] ?? 'Unknown host';
}

/** What is wrong with it; absent when it can be looked for. */
export function misuseOf(name: FilterName, value: string): string | undefined {
  if (value === '') return `${name} is empty. Give it a value, or leave it out`;
  switch (name) {
    case 'state':
      return STATES.includes(value) ? undefined : `${name} is one of ${STATES.join(', ')}, not ${value}`;
    case 'outcome':
      return OUTCOMES.includes(value) ? undefined : `${name} is one of ${OUTCOMES.join(', ')}, not ${value}`;
    case 'since':
    case 'until':
      return complaintOf(name, () => parseMoment(value));
    case 'min-cost':
    case 'max-cost':
      return complaintOf(name, () => parseAmount(value));
    default:
      return undefined;
  }
}

function complaintOf(name: FilterName, parse: () => number): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
