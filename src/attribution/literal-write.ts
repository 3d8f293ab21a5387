/**
 * What a shell command writes, where its own words say so and nothing else: a here-document or an `echo` into a file, `rm`, `mv`. Anything that a
 * shell would still work out (variables, patterns, pipes, other programs) tells nothing, and then the whole command does not.
 */
import type { KnownEdit } from './maker.js';

/** Empty where the command says anything more. Paths are as the command names them. */
export function literalWrites(command: string): KnownEdit[] {
  const edits: KnownEdit[] = [];
  let rest = command.length > LONGEST ? '' : command.trim();
  while (rest !== '') {
    const read = document(rest) ?? simple(rest);
    if (!read) return [];
    edits.push(...read.edits);
    rest = read.rest;
  }
  return edits;
}

/** Characters; a longer one is not looked through. */
const LONGEST = 200_000;

interface Read {
  edits: KnownEdit[];
  /** What comes after it. */
  rest: string;
}

/** `cat > FILE <<'END'`, either way round. */
function document(text: string): Read | undefined {
  const line = text.split('\n', 1)[0] ?? '';
  const match =
    /^cat (>>?) ?([\w./@+-]+) <<([\w'"]+)$/.exec(line) ?? turned(/^cat <<([\w'"]+) (>>?) ?([\w./@+-]+)$/.exec(line));
  if (!match) return undefined;
  const [, sign = '', path = '', mark = ''] = match;
  const [, end = ''] = /^(\w+|'\w+'|"\w+")$/.test(mark) ? (/(\w+)/.exec(mark) ?? []) : [];
  const isQuoted = end !== mark;
  const lines = text.slice(line.length + 1).split('\n');
  const last = lines.indexOf(end);
  if (end === '' || last < 0) return undefined;
  const body = lines
    .slice(0, last)
    .map((one) => `${one}\n`)
    .join('');
  if (!isQuoted && /[$`\\]/.test(body)) return undefined;
  const rest = lines
    .slice(last + 1)
    .join('\n')
    .trim();
  return { edits: [written(sign, path, body)], rest };
}

/** The parts in the order of the other form. */
function turned(match: RegExpExecArray | null): string[] | undefined {
  if (!match) return undefined;
  const [whole = '', mark = '', sign = '', path = ''] = match;
  return [whole, sign, path, mark];
}

const written = (sign: string, path: string, after: string): KnownEdit => ({
  path,
  kind: sign === '>>' ? 'append' : 'write',
  after,
});

/** One command on a line, up to `&&` or the end of the line. */
function simple(text: string): Read | undefined {
  const words = wordsOf(text);
  if (!words) return undefined;
  const [name, ...args] = words.words;
  const edits = name === undefined ? undefined : editsOf(name, args);
  return edits && { edits, rest: words.rest };
}

function editsOf(name: string, args: readonly string[]): KnownEdit[] | undefined {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  if (name === 'mkdir') return [];
  if (name === 'rm' && args.length - plain.length <= 1 && plain.length > 0)
    return plain.map((path) => ({ path, kind: 'delete' }));
  const [path, to, ...more] = args;
  if (
    name === 'mv' &&
    path !== undefined &&
    to !== undefined &&
    more.length === 0 &&
    plain.length === 2 &&
    !to.endsWith('/')
  )
    return [{ path, to, kind: 'move' }];
  const sign = args.at(-2);
  const file = args.at(-1);
  if (name !== 'echo' || file === undefined || (sign !== '>' && sign !== '>>')) return undefined;
  const said = args.slice(0, -2);
  // What a shell makes of a backslash or an option here is not the same in all of them.
  if (said.some((word) => word.startsWith('-') || word.includes('\\') || word === '>' || word === '>>'))
    return undefined;
  return [written(sign, file, `${said.join(' ')}\n`)];
}

/** Plain and quoted words, in which a shell finds nothing to work out. */
function wordsOf(text: string): { words: string[]; rest: string } | undefined {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = /^[ \t]*(?:&&|\n)\s*/.exec(text.slice(at, at + 200));
    if (end) return { words, rest: text.slice(at + end[0].length) };
    const word = /^[ \t]*(?:'([^']*)'|"([^"$`\\!]*)"|(>>?)|([\w./@+:,=%-]+))/.exec(text.slice(at));
    const next = text.charAt(at + (word?.[0].length ?? 0));
    const isWhole = next === '' || /[\s>&]/.test(next) || word?.[3] !== undefined;
    if (!word || !isWhole) return undefined;
    words.push(word[1] ?? word[2] ?? word[3] ?? word[4] ?? '');
    at += word[0].length;
  }
  return { words, rest: '' };
}
