/** Which sessions the list shows: in the words of the command line, and in the address, so that a link leads to the same list. */
import { atom } from 'nanostores';
import type { SessionQuery, SessionRecord } from '../../../client/index.js';
import { parseMoment } from '../../../client/moment.js';

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

export const $filter = atom<Filter>({});

/** What is no flag, or makes no sense as one, is left out. */
export function filterIn(query: URLSearchParams): Filter {
  const pairs = FILTER_NAMES.flatMap((name): [FilterName, string][] => {
    const value = query.get(name);
    return value !== null && isSound(name, value) ? [[name, value]] : [];
  });
  return Object.fromEntries(pairs);
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
  const amount = (text: string | undefined) => (text === undefined ? undefined : Number(text));
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
export function groupOf(session: SessionRecord, by: Grouping): string {
  if (session.pinned) return 'Pinned';
  if (by === 'none') return '';
  if (by === 'project') return session.cwd ?? 'No folder';
  const host = session.runs.findLast(({ owner }) => owner !== undefined)?.owner?.host;
  return host?.split(' ')[0] ?? 'Unknown host';
}

function isSound(name: FilterName, value: string): boolean {
  switch (name) {
    case 'state':
      return ['running', 'waiting', 'ended'].includes(value);
    case 'since':
    case 'until':
      return isMoment(value);
    case 'min-cost':
    case 'max-cost':
      return value.trim() !== '' && Number(value) >= 0;
    default:
      return value.length < 1000;
  }
}

function isMoment(text: string): boolean {
  try {
    return Number.isFinite(parseMoment(text, 0));
  } catch {
    return false;
  }
}
