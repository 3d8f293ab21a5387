/** What a tool call would do to a file, as far as its input tells: the names that agents use for the old and the new text. */

export interface Edit {
  path: string;
  before: string;
  after: string;
}

export function editsOf(input: unknown): Edit[] {
  const fields = fieldsOf(input);
  const path = textOf(fields, PATHS);
  if (path === undefined) return [];
  const several = fields.get('edits');
  if (Array.isArray(several)) return several.flatMap((edit: unknown) => editOf(path, fieldsOf(edit)));
  return editOf(path, fields);
}

const PATHS = ['file_path', 'filePath', 'path', 'notebook_path'];

function editOf(path: string, fields: ReadonlyMap<string, unknown>): Edit[] {
  const before = textOf(fields, ['old_string', 'oldString', 'old_str']);
  const after = textOf(fields, ['new_string', 'newString', 'new_str', 'content', 'file_text', 'new_source']);
  return after === undefined ? [] : [{ path, before: before ?? '', after }];
}

function textOf(fields: ReadonlyMap<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function fieldsOf(input: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof input === 'object' && input !== null ? Object.entries(input) : []);
}
