/** A stream with small mistakes in it, as another version of the program may print it. */

/** The lines with one field changed, one line lost, one line doubled: a fixed sample of all such changes. */
export function* mutants(lines: readonly unknown[]): Generator<{ what: string; lines: unknown[] }> {
  const places = lines.flatMap((line, index) => pathsIn(line).map((path) => ({ index, path })));
  const stride = Math.max(1, Math.floor(places.length / 40));
  for (let at = 0; at < places.length; at += stride) {
    const { index, path } = places[at] as (typeof places)[number];
    const changed = ODD[at % ODD.length];
    yield {
      what: `line ${index + 1}: ${path.join('.')} = ${JSON.stringify(changed)}`,
      lines: lines.with(index, replaced(lines[index], path, changed)),
    };
  }
  for (let index = 0; index < lines.length; index += Math.max(1, Math.floor(lines.length / 10))) {
    yield { what: `line ${index + 1} lost`, lines: lines.toSpliced(index, 1) };
    yield { what: `line ${index + 1} doubled`, lines: lines.toSpliced(index, 0, lines[index]) };
    yield { what: `line ${index + 1} again at the end`, lines: [...lines, lines[index]] };
  }
}

/** Values that a careless reader takes for something else. */
export const ODD: readonly unknown[] = [
  null,
  0,
  -1.5,
  '',
  'odd',
  true,
  [],
  [null],
  {},
  { type: 'odd' },
  'constructor',
  undefined,
];

function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: string[], changed: unknown): unknown {
  if (key === undefined) return changed;
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === key ? replaced(inner, rest, changed) : inner));
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, changed) };
}
