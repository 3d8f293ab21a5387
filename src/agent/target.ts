/**
 * Reads what a call touches out of its arguments. Each agent's folder has a table, one line per tool, made of these readers; a field
 * that is not there, or not what it should be, leaves its target unknown.
 */
import { type Edit, pointerTo, type Targets, type TextPart } from '../event/index.js';
import { type OptionNames, refuseUnknown } from '../event/option.js';
import { anyString, isObject, type Json, list, members, string } from './field.js';
import { hostIn, hostsIn } from './host.js';
import { readPatch } from './patch-text.js';

/** Tells what a call touches, from its arguments. */
export type ReadTargets = (input: Json) => Targets;

/**
 * Tools that are not in the table (those of MCP servers, of plugins, of a later version) are asked by the names that arguments usually have.
 * `opened` says which file a program opens for a path of its own tools.
 */
export function targetTable(
  table: Readonly<Record<string, ReadTargets>>,
  opened?: (path: string) => string,
): (name: string, input: unknown) => Targets {
  const readers = new Map(Object.entries(table));
  return (name, input) => {
    if (!isObject(input)) return {};
    const own = readers.get(name);
    if (!own) return usualTargets(input);
    return opened ? respelled(own(input), opened) : own(input);
  };
}

/** A path is told as it is written too: not every version of a program may read it in the other way. */
function respelled(targets: Targets, opened: (path: string) => string): Targets {
  const { paths, edits } = targets;
  if (!paths?.some((path) => opened(path) !== path)) return targets;
  const respell = ({ path, to, ...edit }: Edit): Edit => ({
    path: opened(path),
    ...edit,
    ...(to !== undefined && { to: opened(to) }),
  });
  return {
    ...targets,
    ...asPaths(paths.flatMap((path) => [opened(path), path])),
    ...(edits && { edits: edits.map(respell) }),
  };
}

/** Paths in these fields, each a path or a list of them. */
export function atPaths(...fields: readonly string[]): ReadTargets {
  return (input) => asPaths(textsAt(input, fields).map(pathIn));
}

/** A search below these paths, which is one in the working directory when none is given; a glob may lead elsewhere by itself. */
export function searching(fields: readonly string[], globs: readonly string[] = []): ReadTargets {
  const read = atPaths(...fields);
  return (input) => {
    const roots = read(input).paths ?? ['.'];
    const away = textsAt(input, globs).flatMap((glob) => wayOut(glob) ?? []);
    return asPaths(away.length === 0 ? roots : [...roots, ...away]);
  };
}

/** The command line in the first of these fields; several commands are lines. */
export function running(...fields: readonly string[]): ReadTargets {
  return (input) => {
    for (const field of fields) {
      const command = textsAt(input, [field]).join('\n');
      if (command !== '') return { command };
    }
    return {};
  };
}

/** Addresses in these fields. */
export function fetching(...fields: readonly string[]): ReadTargets {
  return (input) => asHosts(textsAt(input, fields).flatMap((text) => hostIn(text) ?? []));
}

/** Addresses anywhere in the text of these fields. */
export function fetchingWithin(...fields: readonly string[]): ReadTargets {
  return (input) => asHosts(textsAt(input, fields).flatMap(hostsIn));
}

/** `all` is the flag by which every occurrence is replaced. */
export interface ReplacementFields {
  path: string;
  before: string;
  after: string;
  all?: string;
}

const REPLACEMENT_NAMES: OptionNames<ReplacementFields> = { path: true, before: true, after: true, all: true };

/** Replaces a text in a file. */
export function replacing(where: ReplacementFields): ReadTargets {
  refuseUnknown('replacing', where, REPLACEMENT_NAMES);
  const { path, ...fields } = where;
  return (input) => editing(input[path], (file) => replacement(file, input, fields, []));
}

/** Replaces several texts in a file, one after the other; `list` holds one or several of them. */
export function replacingEach(listField: string, where: ReplacementFields): ReadTargets {
  refuseUnknown('replacingEach', where, REPLACEMENT_NAMES);
  const { path, ...fields } = where;
  return (input) =>
    editing(input[path], (file) => {
      const given = input[listField];
      if (!Array.isArray(given)) return replacement(file, members(given), fields, [listField]);
      return list(given).flatMap((each, index) => replacement(file, members(each), fields, [listField, index]));
    });
}

/** Makes a text the whole file. */
export function writing(path: string, content: string): ReadTargets {
  return (input) =>
    editing(input[path], (file) =>
      typeof input[content] === 'string' ? [{ path: file, kind: 'write', after: { at: pointerTo(content) } }] : [],
    );
}

/** Removes a file. */
export function deleting(path: string): ReadTargets {
  return (input) => editing(input[path], (file) => [{ path: file, kind: 'delete' }]);
}

/** A patch in the words of OpenAI's `apply_patch`. */
export function patching(field: string): ReadTargets {
  return (input) => ofEdits(readPatch(anyString(input[field]) ?? ''));
}

/** All that these know together. */
export function together(...readers: readonly ReadTargets[]): ReadTargets {
  return (input) => {
    const known = readers.map((read) => read(input)).filter(isAny);
    return known.length > 1 ? joinTargets(known) : (known[0] ?? {});
  };
}

function isAny(targets: Targets): boolean {
  for (const _ in targets) return true;
  return false;
}

/** For calls that touch nothing that has a name here. */
export const nothing: ReadTargets = () => ({});

export function ofEdits(edits: readonly Edit[]): Targets {
  return edits.length === 0
    ? {}
    : { ...asPaths(edits.flatMap(({ path, to }) => [path, ...(to === undefined ? [] : [to])])), edits: [...edits] };
}

/** Of several calls together. */
export function joinTargets(all: readonly Targets[]): Targets {
  const joined: Targets = {};
  const paths = all.flatMap((each) => each.paths ?? []);
  const commands = all.flatMap((each) => each.command ?? []);
  const hosts = all.flatMap((each) => each.hosts ?? []);
  const edits = all.flatMap((each) => each.edits ?? []);
  if (paths.length > 0) joined.paths = once(paths);
  if (commands.length > 0) joined.command = commands.join('\n');
  if (hosts.length > 0) joined.hosts = once(hosts);
  if (edits.length > 0) joined.edits = edits;
  return joined;
}

/** The same edits when the input stands inside another one. */
export function below(targets: Targets, ...steps: readonly (string | number)[]): Targets {
  const move = (part: TextPart | undefined): TextPart | undefined =>
    part && 'at' in part ? { at: pointerTo(...steps) + part.at } : part;
  const moved = targets.edits?.map((edit): Edit => {
    const parts = { before: move(edit.before), after: move(edit.after), diff: move(edit.diff) };
    return { ...edit, ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) };
  });
  return moved ? { ...targets, edits: moved } : targets;
}

const FILE = /^file:\/\//i;

/** `file:` addresses are paths too. */
function pathIn(text: string): string {
  if (!FILE.test(text)) return text;
  const path = text.slice('file://'.length).replace(/^localhost(?=\/)/i, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function editing(path: unknown, edit: (file: string) => Edit[]): Targets {
  const named = string(path);
  if (named === undefined) return {};
  const file = pathIn(named);
  const edits = edit(file);
  return { paths: [file], ...(edits.length > 0 && { edits }) };
}

function replacement(
  path: string,
  input: Json,
  { before, after, all }: Omit<ReplacementFields, 'path'>,
  steps: readonly (string | number)[],
): Edit[] {
  if (typeof input[before] !== 'string' || typeof input[after] !== 'string') return [];
  return [
    {
      path,
      kind: 'replace',
      before: { at: pointerTo(...steps, before) },
      after: { at: pointerTo(...steps, after) },
      ...(all !== undefined && input[all] === true && { all: true }),
    },
  ];
}

function asPaths(paths: readonly string[]): Pick<Targets, 'paths'> {
  return paths.length === 0 ? {} : { paths: once(paths) };
}

function asHosts(hosts: readonly string[]): Pick<Targets, 'hosts'> {
  return hosts.length === 0 ? {} : { hosts: once(hosts) };
}

/** Nearly every call touches one thing. */
function once(names: readonly string[]): string[] {
  return names.length === 1 ? [...names] : [...new Set(names)];
}

/** The texts in these fields, each a text or a list of them. By hand, because every call comes past here with a dozen fields, most of them not there. */
function textsAt(input: Json, fields: readonly string[]): string[] {
  const texts: string[] = [];
  for (const field of fields) {
    const value = input[field];
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? list(value) : [value]) {
      if (typeof each === 'string' && each !== '') texts.push(each);
    }
  }
  return texts;
}

/** Where a glob leads by itself; everywhere, when that is only known after a wildcard or a choice. */
function wayOut(glob: string): string | undefined {
  const fixed = fixedPart(glob);
  const rest = glob.slice(fixed.length);
  if (CLIMBS.test(rest) || /[{,(|](\/|~|[a-z]:[\\/])/i.test(rest)) return '/';
  return /^(\/|~|[a-z]:[\\/])/i.test(glob) || CLIMBS.test(fixed) ? fixed : undefined;
}

const CLIMBS = /(^|[\\/{,(|])\.\.([\\/,})|]|$)/;

/** What stands before the first wildcard, as a directory. */
function fixedPart(glob: string): string {
  const wild = glob.search(/[*?[{]/);
  return wild < 0 ? glob : glob.slice(0, Math.max(glob.lastIndexOf('/', wild), glob.lastIndexOf('\\', wild)) + 1);
}

const usualTargets: ReadTargets = together(
  atPaths(
    ...['path', 'paths', 'file', 'files', 'file_path', 'filePath', 'file_paths', 'filepath', 'filename', 'target_file'],
    ...['absolute_path', 'notebook_path', 'dir', 'dir_path', 'directory', 'source', 'destination'],
  ),
  (input) => asPaths(textsAt(input, ['uri']).flatMap((uri) => (/^file:/i.test(uri) ? pathIn(uri) : []))),
  running('command', 'cmd', 'commands', 'script'),
  fetching('url', 'urls', 'uri'),
);
