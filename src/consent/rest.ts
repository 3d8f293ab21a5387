/** What an input says that is not shown otherwise: no word of it is lost, and none is told twice. */
import { type Loose, pointerTo, type TextPart } from '../event/index.js';
import type { ApprovalRequest } from './consent.js';
import type { FieldPart } from './part.js';

/** A question, or a call that was asked for. */
type Asked = Loose<Readonly<Partial<Pick<ApprovalRequest, 'input' | 'command' | 'commandAt' | 'edits'>>>>;

/** The fields of the input, without what the command and the differences show, and what is told in its whole length beside them. */
export function restOf(request: Asked, told: readonly string[] = []): FieldPart[] {
  return fieldParts(restIn(request, told));
}

/** The texts in them, each by itself. */
export function textsBeside(request: Asked): string[] {
  return textsIn(restIn(request, []));
}

function restIn(request: Asked, told: readonly string[]): unknown {
  const { input, command, edits = [] } = request;
  if (input === undefined || input === null) return undefined;
  const texts = new Set([command, ...edits.flatMap(({ path, to }) => [path, to]), ...told]);
  texts.delete(undefined);
  return without(input, '', { pointers: pointersOf(request), texts });
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Every field of the input, also those that are shown otherwise. */
export function wholeInput({ input }: Pick<ApprovalRequest, 'input'>): FieldPart[] {
  return fieldParts(input);
}

function fieldParts(rest: unknown): FieldPart[] {
  if (rest === undefined) return [];
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) {
    return [{ kind: 'field', name: '', text: textFor(rest) }];
  }
  return Object.entries(rest).map(([name, value]) => ({ kind: 'field', name, text: textFor(value) }));
}

/** A text as it is, anything else as JSON with lines. */
function textFor(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}

interface Shown {
  pointers: ReadonlySet<string>;
  texts: ReadonlySet<unknown>;
}

/** Undefined when nothing is left. */
function without(value: unknown, pointer: string, shown: Shown): unknown {
  if (shown.pointers.has(pointer) || shown.texts.has(value)) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([key, below]): [string, unknown][] => {
    const rest = without(below, pointer + pointerTo(key), shown);
    return rest === undefined ? [] : [[key, rest]];
  });
  // What was empty from the beginning is told as it is.
  if (kept.length === 0 && Object.keys(value).length > 0) return undefined;
  if (!Array.isArray(value)) return Object.fromEntries(kept);
  return kept.length === value.length ? kept.map(([, item]) => item) : Object.fromEntries(kept);
}

function pointersOf({ edits = [], commandAt }: Asked): ReadonlySet<string> {
  const parts = edits.flatMap(({ before, after, diff }) => [before, after, diff]);
  const pointers = parts.filter(isPointing).map(({ at }) => at);
  return new Set(commandAt === undefined ? pointers : [...pointers, commandAt]);
}

function isPointing(part: TextPart | undefined): part is { at: string } {
  return part !== undefined && 'at' in part;
}
