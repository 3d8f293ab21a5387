/** A line of code in pieces: comments are quiet, words in quotes stand out, words of the language are bold. Nothing is known of the language, or of the lines around it. */
import type { Look, Piece } from './styled.js';

/** A longer line is no code that anybody reads. */
const LONGEST = 1000;

/** Words that begin a statement or a declaration in many languages, and are rare in prose and as names. */
const WORDS = new Set(
  (
    'async await break case catch class const continue def default delete do elif else enum export extends extern final finally fn for from func function ' +
    'if impl import in interface lambda let loop match mod mut namespace new nil none null package pass private protected pub public raise readonly return self ' +
    'static struct super switch template this throw throws trait true false try type typedef use using val var void while with yield ' +
    'None True False SELECT FROM WHERE INSERT UPDATE DELETE CREATE TABLE'
  ).split(' '),
);

const QUOTES = '"\'`';

export function codePieces(line: string): Piece[] {
  if (line.length > LONGEST) return [{ text: line, looks: [] }];
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 0; at < line.length; ) {
    const end = endOfComment(line, at) ?? endOfQuote(line, at);
    const looks: readonly Look[] = endOfComment(line, at) === undefined ? ['accent'] : ['dim'];
    if (end === undefined) {
      const next = endOfWord(line, at);
      if (WORDS.has(line.slice(at, next))) put(at, next, ['bold']);
      at = next;
    } else {
      put(at, end, looks);
      at = end;
    }
  }
  put(line.length, line.length, []);
  return pieces;

  function put(begin: number, end: number, looks: readonly Look[]): void {
    if (begin > from) pieces.push({ text: line.slice(from, begin), looks: [] });
    if (end > begin) pieces.push({ text: line.slice(begin, end), looks });
    from = end;
  }
}

/** To the end of the line, where it begins one or stands free: an address and a colour are none. */
function endOfComment(line: string, at: number): number | undefined {
  const isFree = line.slice(0, at).trim() === '' || line[at - 1] === ' ' || line[at - 1] === '\t';
  const begins = line.startsWith('//', at) || line.startsWith('/*', at) || line.startsWith('# ', at);
  return isFree && begins ? line.length : undefined;
}

/** A quote that is closed in its line, and is no apostrophe in a word. */
function endOfQuote(line: string, at: number): number | undefined {
  const quote = line.charAt(at);
  if (!QUOTES.includes(quote) || isLetter(line.charAt(at - 1))) return undefined;
  for (let end = at + 1; end < line.length; end += 1) {
    if (line[end] === '\\') end += 1;
    else if (line[end] === quote) return end + 1;
  }
  return undefined;
}

function endOfWord(line: string, at: number): number {
  let end = at + 1;
  if (isLetter(line.charAt(at))) while (isLetter(line.charAt(end))) end += 1;
  return end;
}

const isLetter = (letter: string): boolean => /^[\w$]$/.test(letter);
