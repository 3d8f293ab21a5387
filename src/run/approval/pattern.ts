/** The patterns in rules: path globs (`src/**`), command patterns (`npm test *`), tool names (`mcp__github__*`), hosts (`*.example.org`). */
import { statSync } from 'node:fs';
import path from 'node:path';
import { hasOtherNames, leadsByProcess, realPath } from './real-path.js';
import { anything, createWildcard, type Part } from './wildcard.js';

const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/** Longer ones cannot be opened, and every link on the way would be looked at. */
const LONGEST_PATH = 4096;

export interface Place {
  cwd: string;
  home: string;
}

/** Relative to the working directory; `~` is the home directory. */
export function resolvePath(file: string, place: Place): string {
  return path.resolve(place.cwd, expanded(file, place)).replaceAll(path.sep, '/');
}

/** An absolute path as it is named, and where it really leads. */
export interface Located {
  named: string;
  /**
   * Two where `..` follows a link: the system goes up from where the link leads, many programs take the two names away first, and
   * nobody knows which this one does. None where no file can be, or another one for every process.
   */
  real: readonly string[];
  /** A file with a second name (a hard link): what it is cannot be told by where it is. */
  hasOtherNames: boolean;
}

export function locate(file: string, place: Place): Located {
  const given = expanded(file, place);
  const whole = path.isAbsolute(given) ? given : `${place.cwd}/${given}`;
  const named = resolvePath(file, place);
  const isPossible = whole.length <= LONGEST_PATH && !whole.includes('\0');
  const isKnown = isPossible && !leadsByProcess(whole) && !leadsByProcess(named);
  const readings = [...new Set(isKnown ? [realPath(whole), realPath(named)] : [])];
  return {
    named,
    real: readings.map((real) => real.replaceAll(path.sep, '/')),
    hasOtherNames: readings.some(hasOtherNames),
  };
}

function expanded(file: string, { home }: Place): string {
  const isAtHome = file === '~' || file.startsWith('~/') || file.startsWith(`~${path.sep}`);
  return isAtHome ? `${home}/${file.slice(2)}` : file;
}

// Two stars cross directories, `*` and `?` do not; a glob that begins with two stars and a slash matches anywhere, any
// other is relative to the working directory. Both sides are resolved first, so neither `..` nor a link can slip out.

/** To forbid, it is enough that one of its names matches, or a directory above it: what forbids a directory means what is in it. */
export function touchesGlob({ named, real }: Located, glob: string, place: Place): boolean {
  const globs = globsOf(glob, place).map((one) => globWildcard(isPlain(one) ? `${one.replace(/\/$/, '')}/**` : one));
  return globs.some((matches) => [named, ...real].some(matches));
}

/** To allow, it counts where it really is, under all its names. */
export function isInsideGlob({ real, hasOtherNames }: Located, glob: string, place: Place): boolean {
  const [, whole = ''] = globsOf(glob, place);
  return real.length > 0 && !hasOtherNames && real.every(globWildcard(whole));
}

/** Whether it is a directory below which something may match. */
export function mayHold({ named, real }: Located, glob: string, place: Place): boolean {
  if (!real.some(isDirectory)) return false;
  return globsOf(glob, place).some((whole) => {
    const fixed = fixedPart(whole);
    return [named, ...real].some((directory) => isBelow(fixed, directory) || isBelow(directory, fixed));
  });
}

/** A host, or with `*` in front everything below it. */
export function matchesHost(host: string, pattern: string): boolean {
  return createWildcard(withStars(asHost(pattern)))(asHost(host));
}

/**
 * Whether a whole command line may be allowed by a pattern: `*` never reaches over shell operators,
 * so that `npm test *` does not allow `npm test && rm -rf ~`.
 */
export function allowsCommand(command: string, pattern: string): boolean {
  return commandWildcard(pattern, (letter) => !/[;&|<>`$()\n\r]/.test(letter))(command.trim());
}

/** Whether any part of a command line matches: `rm *` also catches `cd x && rm -rf .`. A guard rail, not a sandbox. */
export function containsCommand(command: string, pattern: string): boolean {
  const matches = commandWildcard(pattern, anything);
  const given = [...command.matchAll(GIVEN_TO_SHELL)].map(([, single, double]) => single ?? double ?? '');
  const parts = [command, ...given].flatMap((line) => [line, ...line.split(/\|\||&&|[;&|()`\n\r]|\$\(/)]);
  return parts.some((part) => matches(part.trim()));
}

/** As in `bash -lc 'cd x; rm -rf .'`. */
const GIVEN_TO_SHELL = /\b(?:ba|z|da|k)?sh(?: -\w{1,9}){0,3} -\w{0,9}c (?:'([^']*)'|"([^"]*)")/g;

/** A tool's name, whole and without regard to case. */
export function matchesName(name: string, pattern: string): boolean {
  return createWildcard(withStars(pattern), { ignoresCase: true })(name);
}

/** The glob as it is named, and where its fixed part really leads. */
function globsOf(glob: string, place: Place): [named: string, real: string] {
  if (glob.startsWith('**/')) {
    const anywhere = glob.replace(/(?<!\/)\/+$/, '');
    return [anywhere, anywhere];
  }
  const named = resolvePath(glob, place);
  const fixed = fixedPart(named);
  return [named, realPath(fixed).replaceAll(path.sep, '/') + named.slice(fixed.length)];
}

/** Whether its last part is a name without a wildcard. */
function isPlain(glob: string): boolean {
  return !/[*?]/.test(glob.slice(glob.lastIndexOf('/') + 1));
}

/** The directory before the first wildcard, or all of it. */
function fixedPart(glob: string): string {
  const wild = glob.search(/[*?]/);
  return wild < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', wild)));
}

function isBelow(file: string, directory: string): boolean {
  return (
    file === directory || directory === '' || file.startsWith(directory.endsWith('/') ? directory : `${directory}/`)
  );
}

function isDirectory(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    return false;
  }
}

function globWildcard(glob: string): (file: string) => boolean {
  // Everything below a directory is the directory too.
  const isWhole = glob.endsWith('/**');
  const words = (isWhole ? glob.slice(0, -3) : glob).match(/\*\*\/|\*\*|\*|\?|[^*?]+/g) ?? [];
  const parts = words.map(globPart);
  if (isWhole) parts.push({ kind: 'optional', parts: [{ kind: 'text', text: '/' }, ANYTHING] });
  return createWildcard(parts, { ignoresCase });
}

function globPart(word: string): Part {
  if (word === '**/') return { kind: 'optional', parts: [ANYTHING, { kind: 'text', text: '/' }] };
  if (word === '**') return ANYTHING;
  if (word === '*') return { kind: 'many', of: isInName };
  return word === '?' ? { kind: 'one', of: isInName } : { kind: 'text', text: word };
}

const ANYTHING: Part = { kind: 'many', of: anything };
const isInName = (letter: string) => letter !== '/';

/** As programs read it: without regard to case, encoded letters decoded, numbers as addresses. */
function asHost(text: string): string {
  try {
    // A star is no letter of a host, and would be refused.
    return new URL(`http://${text.replaceAll('*', 'glassbox-star')}`).hostname
      .replaceAll('glassbox-star', '*')
      .replace(/\.$/, '');
  } catch {
    return text.toLowerCase();
  }
}

/** A trailing ` *` also matches nothing, as people expect of `git status *`. */
function commandWildcard(pattern: string, isAny: (letter: string) => boolean): (command: string) => boolean {
  const given = pattern.trim();
  const many: Part = { kind: 'many', of: isAny };
  if (!given.endsWith(' *')) return createWildcard(withStars(given, many));
  const space: Part = { kind: 'one', of: (letter) => /\s/.test(letter) && isAny(letter) };
  return createWildcard([...withStars(given.slice(0, -2), many), { kind: 'optional', parts: [space, many] }]);
}

function withStars(pattern: string, star: Part = ANYTHING): Part[] {
  return pattern.split('*').flatMap((text, index): Part[] => [...(index > 0 ? [star] : []), { kind: 'text', text }]);
}
