/**
 * Reads what a call touches out of its arguments. Each agent's folder has a table, one line per tool, made of these readers; a field
 * that is not there, or not what it should be, leaves its target unknown.
 */
import { type Edit, pointerTo, type Targets, type TextPart } from '../event/index.js';
import { type OptionNames, refuseUnknown } from '../event/option.js';
import { anyString, isObject, type Json, list, lookUp, members, string } from './field.js';
import { hostIn, hostsIn } from './host.js';
import { readPatch } from './patch-text.js';

/** Tells what a call touches, from its arguments. */
export type ReadTargets = (input: Json) => Targets;

/** Tools that are not in the table (those of MCP servers, of plugins, of a later version) are asked by the names that arguments usually have. */
export function targetTable(table: Readonly<Record<string, ReadTargets>>): (name: string, input: unknown) => Targets {
  return (name, input) => (isObject(input) ? (lookUp(table, name) ?? usualTargets)(input) : {});
}

/** Paths in these fields, each a path or a list of them. */
export function atPaths(...fields: readonly string[]): ReadTargets {
  return (input) => asPaths(fields.flatMap((field) => textsIn(input[field])).map(pathIn));
}

/** A search below these paths, which is one in the working directory when none is given; a glob may lead elsewhere by itself. */
export function searching(fields: readonly string[], globs: readonly string[] = []): ReadTargets {
  const read = atPaths(...fields);
  return (input) => {
    const roots = read(input).paths ?? ['.'];
    const away = globs
      .flatMap((field) => textsIn(input[field]))
      .filter((glob) => /^(\/|~|[a-z]:[\\/]|\.\.(\/|$))/i.test(glob));
    return { paths: [...new Set([...roots, ...away.map(fixedPart)])] };
  };
}

/** The command line in the first of these fields; several commands are lines. */
export function running(...fields: readonly string[]): ReadTargets {
  return (input) => {
    const command = fields.map((field) => textsIn(input[field]).join('\n')).find((text) => text !== '');
    return command === undefined ? {} : { command };
  };
}

/** Addresses in these fields. */
export function fetching(...fields: readonly string[]): ReadTargets {
  return (input) => asHosts(fields.flatMap((field) => textsIn(input[field])).flatMap((text) => hostIn(text) ?? []));
}

/** Addresses anywhere in the text of these fields. */
export function fetchingWithin(...fields: readonly string[]): ReadTargets {
  return (input) => asHosts(fields.flatMap((field) => textsIn(input[field])).flatMap(hostsIn));
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
  return (input) => joinTargets(readers.map((read) => read(input)));
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
  const edits = all.flatMap((each) => each.edits ?? []);
  const commands = all.flatMap((each) => each.command ?? []);
  return {
    ...asPaths(all.flatMap((each) => each.paths ?? [])),
    ...(commands.length > 0 && { command: commands.join('\n') }),
    ...asHosts(all.flatMap((each) => each.hosts ?? [])),
    ...(edits.length > 0 && { edits }),
  };
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

/** `file:` addresses are paths too. */
function pathIn(text: string): string {
  if (!/^file:\/\//i.test(text)) return text;
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
  return paths.length === 0 ? {} : { paths: [...new Set(paths)] };
}

function asHosts(hosts: readonly string[]): Pick<Targets, 'hosts'> {
  return hosts.length === 0 ? {} : { hosts: [...new Set(hosts)] };
}

/** A text, or the texts of a list. */
function textsIn(value: unknown): string[] {
  return (Array.isArray(value) ? list(value) : [value]).flatMap((each) => string(each) ?? []);
}

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
  (input) => atPaths('uri')({ uri: textsIn(input.uri).filter((uri) => /^file:/i.test(uri)) }),
  running('command', 'cmd', 'commands', 'script'),
  fetching('url', 'urls', 'uri'),
);
