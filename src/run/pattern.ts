/** The patterns in rules: path globs (`src/**`), command patterns (`npm test *`), tool names (`mcp__github__*`). */
import path from 'node:path';

const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

export interface Place {
  cwd: string;
  home: string;
}

// Two stars cross directories, `*` and `?` do not; a glob that begins with two stars and a slash matches anywhere, any
// other is relative to the working directory. Both sides are resolved first, so `..` cannot slip out.
export function matchesPath(file: string, glob: string, place: Place): boolean {
  const whole = glob.startsWith('**/') ? glob : resolvePath(glob, place);
  return globExpression(whole).test(resolvePath(file, place));
}

/** Relative to the working directory; `~` is the home directory. */
export function resolvePath(file: string, { cwd, home }: Place): string {
  const expanded = file === '~' || file.startsWith('~/') ? path.join(home, file.slice(1)) : file;
  return path.resolve(cwd, expanded).replaceAll(path.sep, '/');
}

/**
 * Whether a whole command line may be allowed by a pattern: `*` never reaches over shell operators,
 * so that `npm test *` does not allow `npm test && rm -rf ~`.
 */
export function allowsCommand(command: string, pattern: string): boolean {
  return commandExpression(pattern, '[^;&|<>`$()\\n\\r]*').test(command.trim());
}

/** Whether any part of a command line matches: `rm *` also catches `cd x && rm -rf .`. A guard rail, not a sandbox. */
export function containsCommand(command: string, pattern: string): boolean {
  const expression = commandExpression(pattern, '[^]*');
  const parts = command.split(/\|\||&&|[;&|()`\n\r]|\$\(/);
  return [command, ...parts].some((part) => expression.test(part.trim()));
}

/** A tool's name, whole and without regard to case. */
export function matchesName(name: string, pattern: string): boolean {
  return new RegExp(`^${pattern.split('*').map(escapeText).join('.*')}$`, 'i').test(name);
}

function globExpression(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === '**/') return '(?:[^/]*/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return escapeText(part);
  });
  return new RegExp(`^${source}$`, ignoresCase ? 'is' : 's');
}

/** A trailing ` *` also matches nothing, as people expect of `git status *`. */
function commandExpression(pattern: string, anything: string): RegExp {
  const open = pattern.trim().endsWith(' *');
  const fixed = open ? pattern.trim().slice(0, -2) : pattern.trim();
  const source = fixed.split('*').map(escapeText).join(anything);
  return new RegExp(`^${source}${open ? `(?:\\s${anything})?` : ''}$`);
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
