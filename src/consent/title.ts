/** What is asked, in one sentence without its end: a verb and what it is done to. */
import type { DraftOf, Loose, Targets, ToolKind } from '../event/index.js';
import { pathWithin } from './path-within.js';

/** Before it is stamped too. */
type Asked = DraftOf<'approval-request'>;

export function titleOf(request: Asked): string {
  const { kind, title, toolName } = request;
  switch (kind) {
    case 'tool':
      return toolTitle(request);
    case 'plan':
      return 'Go on with this plan';
    case 'question':
      return request.questions?.length === 1 ? 'Answer a question' : 'Answer some questions';
    case 'elicitation':
      return `Tell ${toolName ?? 'a server'} what it asks for`;
    case 'hook':
      return `Go on after ${title ?? 'a hook'}`;
    case 'other':
      return title ?? (toolName === undefined ? 'Go on' : `Use ${toolName}`);
  }
}

function toolTitle(request: Asked): string {
  const { calls = [], differences = [] } = request;
  if (calls.length < 2) return callTitle(request);
  if (calls.length > MOST_NAMED) return `Do ${calls.length} things`;
  const titles = calls.map((call) => {
    const paths = call.edits?.map(({ path }) => path) ?? [];
    const own = differences.filter(({ path }) => paths.includes(path));
    return callTitle({ ...call, differences: own, directory: request.directory });
  });
  const [first = '', ...others] = [...new Set(titles)];
  return [first, ...others.map((title) => title.charAt(0).toLowerCase() + title.slice(1))].join(' and ');
}

const MOST_NAMED = 3;

/** What of a request is about one call. */
type Call = Targets & Loose<Pick<Partial<Asked>, 'toolName' | 'toolKind' | 'title' | 'differences' | 'directory'>>;

function callTitle(request: Call): string {
  const { toolKind = 'other', toolName, hosts = [], title } = request;
  const made = TITLES[toolKind]?.(filesOf(request), request);
  if (made !== undefined) return made;
  if (hosts.length > 0) return `Use ${toolName ?? 'a tool'} with ${listed(hosts, 'hosts')}`;
  return toolName === undefined ? (title ?? 'Use a tool') : `Use ${toolName}`;
}

/** The title says what would be done, and not only with what. */
export function tellsDeed(request: Asked): boolean {
  const { calls = [], toolKind = 'other' } = request;
  return calls.length < 2 && TITLES[toolKind]?.(filesOf(request), request) !== undefined;
}

type Title = (files: readonly string[], call: Call) => string | undefined;

const TITLES: Partial<Record<ToolKind, Title>> = {
  execute: (_, { command }) => (command === undefined ? undefined : 'Run a command'),
  edit: (files, request) => (files.length === 0 ? undefined : `${editVerb(request)} ${listed(files, 'files')}`),
  delete: (files) => (files.length === 0 ? undefined : `Delete ${listed(files, 'files')}`),
  move: (files, { edits = [], directory }) => {
    const [edit, ...others] = edits;
    if (edit?.to !== undefined && others.length === 0) {
      return `Move ${pathWithin(edit.path, directory)} to ${pathWithin(edit.to, directory)}`;
    }
    return files.length === 0 ? undefined : `Move ${listed(files, 'files')}`;
  },
  read: (files) => (files.length === 0 ? undefined : `Read ${listed(files, 'files')}`),
  search: (files) => (files.length === 0 ? 'Search' : `Search in ${listed(files, 'places')}`),
  fetch: (_, { hosts = [] }) => (hosts.length === 0 ? undefined : `Fetch from ${listed(hosts, 'hosts')}`),
};

/** What is known about all of them together. */
function editVerb({ differences = [], edits = [] }: Call): string {
  const all = <Item>(items: readonly Item[], is: (item: Item) => unknown) => items.length > 0 && items.every(is);
  if (all(differences, ({ created }) => created)) return 'Create';
  if (all(edits, ({ kind }) => kind === 'delete')) return 'Delete';
  if (all(edits, ({ kind }) => kind === 'move')) return 'Move';
  return 'Change';
}

function filesOf({ paths = [], edits = [], directory }: Call): string[] {
  const named = edits.length > 0 ? edits.map(({ path }) => path) : paths;
  return [...new Set(named.map((path) => pathWithin(path, directory)))];
}

function listed(names: readonly string[], noun: string): string {
  const [name = ''] = names;
  return names.length === 1 ? name : `${names.length} ${noun}`;
}
