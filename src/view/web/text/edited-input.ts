/** What a person made of the arguments of a call, field by field or as JSON. What was left alone is not mentioned. */
import { type Changes, changesBetween } from '../../../event/index.js';

export interface EditableField {
  name: string;
  /** As it stands there now. */
  text: string;
  /** Otherwise it is JSON. */
  isText: boolean;
}

export type EditedInput = { changes: Changes } | { problem: string };

export function editableFields(input: unknown): EditableField[] {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return fields.map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''),
    isText: typeof value === 'string',
  }));
}

export function readFields(input: unknown, fields: readonly EditableField[]): EditedInput {
  const edited: [string, unknown][] = [];
  for (const { name, text, isText } of fields) {
    const read = isText ? { value: text } : parse(text);
    if ('problem' in read) return { problem: `${name}: ${read.problem}` };
    edited.push([name, read.value]);
  }
  const values = Array.isArray(input) ? edited.map(([, value]) => value) : Object.fromEntries(edited);
  return changedFrom(input, values);
}

export function readJson(input: unknown, json: string): EditedInput {
  const read = parse(json);
  return 'problem' in read ? read : changedFrom(input, read.value);
}

function changedFrom(input: unknown, edited: unknown): EditedInput {
  const changes = changesBetween(input, edited);
  return changes ? { changes } : { problem: 'Nothing was changed.' };
}

function parse(json: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(json) };
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
}
