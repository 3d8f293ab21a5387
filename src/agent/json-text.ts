/**
 * JSON as people write it: where each value stands in its text, with comments and trailing commas, so that something can be put in or
 * taken out and every other byte stays as it is.
 */

export interface JsonNode {
  /** Where it begins and ends in the text. */
  start: number;
  end: number;
  value: unknown;
  /** Of an object or a list, in their order. */
  entries?: JsonEntry[];
  /** Of an object or a list: the end of the last thing in it, be it a comment, a comma, or the bracket that opens it. */
  tail?: number;
}

export interface JsonEntry {
  /** Of an object's member. */
  key?: string;
  /** Where the entry begins: a member with its key. */
  start: number;
  node: JsonNode;
  /** Where the comma after it stands, if there is one. */
  comma?: number;
}

/** Text to put in at a place of the old text. */
export interface Insertion {
  at: number;
  text: string;
}

/** Deeper than any settings; a text of brackets alone must not exhaust the stack. */
const DEEPEST = 100;

/** Undefined when the text is not one JSON value. */
export function readJsonText(text: string): JsonNode | undefined {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let depth = 0;
  /** The end of the last comment or comma. */
  let tail = 0;

  try {
    skip();
    const node = value();
    skip();
    return at === text.length ? node : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }

  function value(): JsonNode {
    const start = at;
    const first = text[at];
    if (first === '{' || first === '[') return container(first === '{');
    if (first !== '"') while (at < text.length && !DELIMITERS.includes(text.charAt(at))) at += 1;
    const inside = first === '"' ? string() : (JSON.parse(text.slice(start, at)) as unknown);
    return { start, end: at, value: inside };
  }

  function string(): string {
    const start = at;
    if (text[at] !== '"') throw new SyntaxError('a name is missing');
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  }

  function container(isObject: boolean): JsonNode {
    const start = at;
    const close = isObject ? '}' : ']';
    const entries: JsonEntry[] = [];
    depth += 1;
    if (depth > DEEPEST) throw new SyntaxError('too deep');
    at += 1;
    tail = at;
    skip();
    while (text[at] !== close) {
      const last = entries.at(-1);
      if (last && last.comma === undefined) throw new SyntaxError('a comma is missing');
      const entry = isObject ? member() : { start: at, node: value() };
      tail = at;
      skip();
      if (text[at] === ',') {
        Object.assign(entry, { comma: at });
        at += 1;
        tail = at;
        skip();
      }
      entries.push(entry);
    }
    const end = tail;
    at += 1;
    depth -= 1;
    const inside = isObject
      ? Object.fromEntries(entries.map(({ key = '', node }) => [key, node.value]))
      : entries.map(({ node }) => node.value);
    return { start, end: at, value: inside, entries, tail: end };
  }

  function member(): JsonEntry {
    const start = at;
    const key = string();
    skip();
    if (text[at] !== ':') throw new SyntaxError('a colon is missing');
    at += 1;
    skip();
    return { key, start, node: value() };
  }

  /** Over blanks and comments. */
  function skip(): void {
    for (;;) {
      while (at < text.length && BLANKS.includes(text.charAt(at))) at += 1;
      if (text.startsWith('//', at)) while (at < text.length && !LINE_ENDS.includes(text.charAt(at))) at += 1;
      else if (text.startsWith('/*', at)) {
        const end = text.indexOf('*/', at + 2);
        if (end < 0) throw new SyntaxError('a comment does not end');
        at = end + 2;
      } else return;
      tail = at;
    }
  }
}

const LINE_ENDS = '\r\n';
const BLANKS = ` \t${LINE_ENDS}`;
const DELIMITERS = `${BLANKS},:[]{}/`;

/** The last member of this name, which is the one that counts. */
export function memberOf(node: JsonNode | undefined, key: string): JsonEntry | undefined {
  return node?.entries?.findLast((entry) => entry.key === key);
}

/** How a text is laid out, so that what is put in looks like the rest. */
export interface Layout {
  newline: string;
  indent: string;
}

export function layoutOf(text: string, root: JsonNode | undefined): Layout {
  const [first] = root?.entries ?? [];
  const blanks = first ? text.slice(endOfText(text, first.start), first.start) : '';
  const indent = /[\r\n]/.test(blanks) ? blanks.slice(blanks.lastIndexOf('\n') + 1) : '';
  return { newline: text.includes('\r\n') ? '\r\n' : '\n', indent: indent || '  ' };
}

/** What to put in so that an object or list ends with these entries. `depth` is that of the container: 0 for the outermost. */
export function appendEntries(
  text: string,
  container: JsonNode,
  added: readonly { key?: string; value: unknown }[],
  depth: number,
  { newline, indent }: Layout,
): Insertion[] {
  if (added.length === 0) return [];
  const { entries = [], tail = container.start + 1, end } = container;
  const last = entries.at(-1);
  const pad = `${newline}${indent.repeat(depth + 1)}`;
  const written = added.map(({ key, value }) => {
    const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
    return pad + name + JSON.stringify(value, null, indent).split('\n').join(pad);
  });
  const isOnOwnLine = /[\r\n]/.test(text.slice(tail, end));
  const after = isOnOwnLine ? '' : `${newline}${indent.repeat(depth)}`;
  const comma = last && last.comma === undefined ? [{ at: last.node.end, text: ',' }] : [];
  const trailing = last?.comma === undefined ? '' : ',';
  return [...comma, { at: tail, text: written.join(',') + trailing + after }];
}

export function insertInto(text: string, insertions: readonly Insertion[]): string {
  let result = '';
  let from = 0;
  for (const { at, text: put } of insertions) {
    result += text.slice(from, at) + put;
    from = at;
  }
  return result + text.slice(from);
}

/** Without one entry of a container, its comma and the blanks before it. Comments stay. */
export function withoutEntry(text: string, container: JsonNode, entry: JsonEntry): string {
  const { entries = [] } = container;
  const before = entries[entries.indexOf(entry) - 1];
  const rest = text.slice(entry.node.end);
  // What follows on the same line would become a part of a comment that ends the line before.
  const isAlone = /^[\r\n]/.test(rest.slice(entry.comma === undefined ? 0 : entry.comma - entry.node.end + 1));
  const start = isAlone ? endOfText(text, entry.start) : entry.start;
  if (entry.comma !== undefined) {
    return text.slice(0, start) + text.slice(entry.node.end, entry.comma) + text.slice(entry.comma + 1);
  }
  if (before?.comma === undefined) return text.slice(0, start) + rest;
  return text.slice(0, before.comma) + text.slice(before.comma + 1, start) + rest;
}

/** Where the blanks begin that stand before a place. */
function endOfText(text: string, before: number): number {
  let at = before;
  while (at > 0 && BLANKS.includes(text.charAt(at - 1))) at -= 1;
  return at;
}
