/**
 * Reads the source of a rule's expression into a tree, so that what it may cost can be counted before it meets a text.
 *
 * All but references back to what was found, whose cost nobody can tell.
 */

export type Node =
  | { readonly kind: 'one'; readonly of: Letters }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly part: Node; readonly back: boolean; readonly not: boolean }
  /** `$`, the end of the text; `edge` is any other place between characters. */
  | { readonly kind: 'end' | 'edge' };

/** What may stand at a place: one flag for each ASCII character, one for all others, one for the end of the text. */
export type Letters = Uint8Array;

export const OTHERS = 128;
export const END = 129;
export const SYMBOLS = 130;

export interface ParseOptions {
  flags?: string | undefined;
  /** How often something is repeated that has no bound. */
  unbounded?: number | undefined;
}

/** Throws a `SyntaxError` for what is no expression, or none that can be counted. */
export function parseExpression(source: string, { flags, unbounded = Infinity }: ParseOptions = {}): Node {
  // What the engine does not take is none of ours either.
  new RegExp(source, flags);
  let at = 0;
  const tree = parseChoice();
  if (at < source.length) throw new SyntaxError(`nothing opens what closes at ${at}`);
  return tree;

  function parseChoice(): Node {
    const parts = [parseSequence()];
    while (source[at] === '|') {
      at++;
      parts.push(parseSequence());
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
  }

  function parseSequence(): Node {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(parseRepeat(parseAtom()));
    return { kind: 'sequence', parts };
  }

  function parseRepeat(part: Node): Node {
    const [whole, mark, least, comma, most] = take(/([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y) ?? [];
    if (whole === undefined) return part;
    if (mark === '*' || mark === '+') return { kind: 'repeat', part, min: mark === '*' ? 0 : 1, max: unbounded };
    if (mark === '?') return { kind: 'repeat', part, min: 0, max: 1 };
    const min = Number(least);
    return { kind: 'repeat', part, min, max: most ? Number(most) : comma ? unbounded : min };
  }

  function parseAtom(): Node {
    const [opening] = take(/\((?:\?(?:[:=!]|<[=!]|<[^>]{1,99}>))?/y) ?? [];
    if (opening !== undefined) return parseGroup(opening);
    if (take(/\^|\\[bB]/y)) return { kind: 'edge' };
    if (take(/\$/y)) return { kind: 'end' };
    const [referred] = take(/\\(?:[1-9]|k<)/y) ?? [];
    if (referred) throw new SyntaxError('it refers back to what it found');
    const [one = ''] =
      take(/\[(?:\\.|[^\]\\])*\]|\\(?:u[0-9a-fA-F]{4}|[pP]\{[^}]{1,40}\}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)|./sy) ?? [];
    return { kind: 'one', of: lettersOf(one, flags) };
  }

  function parseGroup(opening: string): Node {
    const part = parseChoice();
    at++;
    const [, look, sign] = /^\(\?(<?)([=!])$/.exec(opening) ?? [];
    return look === undefined ? part : { kind: 'look', part, back: look === '<', not: sign === '!' };
  }

  function take(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = at;
    const found = sticky.exec(source);
    if (found) at = sticky.lastIndex;
    return found;
  }
}

/** What may stand first in what it matches, or last; anything where it may match nothing. */
export function edgeLetters(node: Node, end: 'first' | 'last'): Letters {
  const { letters, isOptional } = edgeOf(node, end);
  return isOptional ? letters.map(() => 1) : letters;
}

function edgeOf(node: Node, end: 'first' | 'last'): { letters: Letters; isOptional: boolean } {
  switch (node.kind) {
    case 'one':
      return { letters: node.of, isOptional: false };
    case 'sequence': {
      const edges = (end === 'first' ? node.parts : node.parts.toReversed()).map((part) => edgeOf(part, end));
      const until = edges.findIndex(({ isOptional }) => !isOptional);
      return { letters: union(until < 0 ? edges : edges.slice(0, until + 1)), isOptional: until < 0 };
    }
    case 'choice': {
      const edges = node.parts.map((part) => edgeOf(part, end));
      return { letters: union(edges), isOptional: edges.some(({ isOptional }) => isOptional) };
    }
    case 'repeat': {
      const edge = edgeOf(node.part, end);
      return { letters: edge.letters, isOptional: edge.isOptional || node.min === 0 };
    }
    default:
      return { letters: new Uint8Array(SYMBOLS), isOptional: true };
  }
}

function union(edges: readonly { letters: Letters }[]): Letters {
  return new Uint8Array(SYMBOLS).map((_, symbol) => (edges.some(({ letters }) => letters[symbol] === 1) ? 1 : 0));
}

/** Rules are made of the same few atoms again and again, and to ask the engine about each letter is most of reading one. */
function lettersOf(one: string, flags = ''): Letters {
  const key = `${flags} ${one}`;
  const letters = known.get(key) ?? askEngine(one, flags);
  if (known.size < MOST_KNOWN) known.set(key, letters);
  return letters;
}

const known = new Map<string, Letters>();
const MOST_KNOWN = 1024;

function askEngine(one: string, flags: string): Letters {
  const letters = new Uint8Array(SYMBOLS);
  const single = new RegExp(`^(?:${one})$`, flags.replace(/[gy]/g, ''));
  for (let code = 0; code < OTHERS; code++) letters[code] = single.test(String.fromCharCode(code)) ? 1 : 0;
  // A class may hold a few of the others or nearly all of them; which does not matter, as long as none is overlooked.
  if (/[^\0-\x7f]|\\[uxsSWDp]|^\[\^|^\.$/.test(one)) letters[OTHERS] = 1;
  return letters;
}
