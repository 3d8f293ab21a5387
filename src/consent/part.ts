/** What has to be read before it is allowed: the command, the differences, and whatever else the input says. */
import type { Difference, Edit } from '../event/index.js';
import { textOf } from './apply-edit.js';
import type { ApprovalRequest } from './consent.js';
import { factsOf } from './fact.js';
import { rowsOfPatch } from './patch-rows.js';
import { pathWithin } from './path-within.js';
import { restOf } from './rest.js';
import { looseRows, type Row, rowsOf } from './row.js';
import { titleOf } from './title.js';

export type Part =
  | { kind: 'command'; text: string }
  | DifferencePart
  | FieldPart
  /** Markdown of the agent. */
  | { kind: 'prose'; text: string };

/** Something that the input says, under the name that it has there; without one it is all of it. */
export interface FieldPart {
  kind: 'field';
  name: string;
  text: string;
}

export interface DifferencePart {
  kind: 'difference';
  /** Absent where the title names the only file. */
  path?: string;
  to?: string;
  /** What becomes of the file, where that is more than a change. */
  state?: 'new' | 'deleted' | 'moved';
  /** Sentences about what no row shows, or why there are none with numbers. */
  remarks: string[];
  rows: Row[];
  added: number;
  removed: number;
}

export function partsOf(request: ApprovalRequest): Part[] {
  const { kind, plan, command, description, input, summary } = request;
  const rest = restOf(request, toldBeside(request));
  if (kind === 'plan') return plan === undefined ? [] : [{ kind: 'prose', text: plan }];
  if (kind === 'question' || kind === 'elicitation') return [];
  if (kind !== 'tool') return description ? [{ kind: 'prose', text: description }, ...rest] : rest;
  const differences = withoutTheNamed(differenceParts(request), titleOf(request));
  const parts: Part[] = [
    ...(command === undefined ? [] : [{ kind: 'command' as const, text: command }]),
    ...differences,
    ...rest,
  ];
  if (parts.length > 0 || input !== undefined || !summary) return parts;
  return [{ kind: 'field', name: '', text: summary }];
}

/** What the title or a fact tells in its whole length. */
function toldBeside(request: ApprovalRequest): string[] {
  const { description, reason, directory, paths = [] } = request;
  const [path, ...others] = paths;
  const facts = factsOf(request).map(({ text }) => `\n${text}`);
  const said = [description, reason, directory].filter((text) => text !== undefined);
  const isNamed = others.length === 0 && path !== undefined && isNamedBy(titleOf(request), pathWithin(path, directory));
  return [...said.filter((text) => facts.some((fact) => fact.endsWith(`\n${text}`))), ...(isNamed ? [path] : [])];
}

const isNamedBy = (title: string, path: string): boolean => title.endsWith(` ${path}`);

function withoutTheNamed(parts: DifferencePart[], title: string): DifferencePart[] {
  const [part, ...others] = parts;
  if (part?.path === undefined || others.length > 0 || !isNamedBy(title, part.path)) return parts;
  const { path: _, ...rest } = part;
  return [rest];
}

/**
 * How a call changed files, for who looks at it afterwards: as it was compared when somebody was asked, else as the agent tells it in
 * `patches`, else as it stands in the call.
 */
export function differencePartsOf(
  call: Pick<ApprovalRequest, 'differences' | 'edits' | 'input'>,
  { patches, directory }: { patches: readonly { path: string; patch: string }[]; directory?: string | undefined },
): DifferencePart[] {
  if (call.differences || patches.length === 0)
    return differenceParts({ ...call, ...(directory !== undefined && { directory }) });
  return patches.map(({ path, patch }) => {
    const rows = rowsOfPatch(patch);
    return { kind: 'difference', path: pathWithin(path, directory), remarks: [], rows, ...sumsOf(rows) };
  });
}

/** Those that the run made; without a run (a recording) the edits as they stand in the input. */
function differenceParts({
  differences,
  edits = [],
  input,
  directory,
}: Pick<ApprovalRequest, 'differences' | 'edits' | 'input' | 'directory'>): DifferencePart[] {
  const told =
    differences ?? [...new Set(edits.map(({ path }) => path))].map((path) => ({ path, notShown: '', hunks: [] }));
  return told.map((difference) => {
    const own = edits.filter(({ path }) => path === difference.path);
    return differencePart(difference, own, input, directory);
  });
}

function differencePart(
  difference: Difference,
  edits: readonly Edit[],
  input: unknown,
  directory: string | undefined,
): DifferencePart {
  const { path, to, notShown, created, deleted, remarks = [], hunks } = difference;
  const rows = notShown === undefined ? rowsOf(hunks) : edits.flatMap((edit) => rowsOfEdit(edit, input));
  const state = created ? 'new' : deleted ? 'deleted' : to === undefined ? undefined : 'moved';
  return {
    kind: 'difference',
    path: pathWithin(path, directory),
    ...(to !== undefined && { to: pathWithin(to, directory) }),
    ...(state && { state }),
    remarks: notShown ? [...remarks, `Not compared with the file: ${notShown}.`] : remarks,
    rows,
    ...sumsOf(rows),
  };
}

const sumsOf = (rows: readonly Row[]) => ({
  added: rows.filter(({ kind }) => kind === 'add').length,
  removed: rows.filter(({ kind }) => kind === 'remove').length,
});

function rowsOfEdit({ before, after, diff }: Edit, input: unknown): Row[] {
  const patch = textOf(diff, input);
  if (patch === undefined) return looseRows(textOf(before, input), textOf(after, input));
  const lines = patch.split('\n').filter((line) => !/^(@@|\\|$)/.test(line));
  return lines.map((line): Row => {
    const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'remove' : 'same';
    return { kind, text: line.slice(1) };
  });
}
