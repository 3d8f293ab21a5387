/** What a command surely takes away, in its own words: files that it names to be deleted, and git's ways to drop what is in no commit. */
import { pathWithin } from './path-within.js';

export interface Loss {
  /** As the command spells them, each once. */
  deleted: string[];
  /** Of these, those that are not in the project, as far as their spelling tells. */
  outside: string[];
  /** The commands that drop changes. */
  dropping: string[];
}

/** Before the name of a program. */
const BEFORE = /^(?:\w+=.*|sudo|command|exec|time|nohup|nice|then|do|else|!)$/;
const DELETING = /^(?:\/bin\/|\/usr\/bin\/)?(?:rm|rmdir|unlink|shred)$/;

export function namedLoss(command: string, directory?: string): Loss {
  const loss = { deleted: new Set<string>(), outside: new Set<string>(), dropping: new Set<string>() };
  let isElsewhere = false;
  for (const words of commandsIn(command)) {
    const [program = '', ...rest] = words.slice(words.findIndex((word) => !BEFORE.test(word)));
    if (program === 'cd' || program === 'pushd') isElsewhere = true;
    if (DELETING.test(program)) {
      for (const target of targetsIn(rest)) {
        loss.deleted.add(target);
        if (isOutside(target, directory, isElsewhere)) loss.outside.add(target);
      }
    }
    if (program === 'git' && isDropping(rest)) loss.dropping.add(words.slice(words.indexOf('git')).join(' '));
  }
  return { deleted: [...loss.deleted], outside: [...loss.outside], dropping: [...loss.dropping] };
}

function isDropping([verb, ...flags]: readonly string[]): boolean {
  if (verb === 'reset') return flags.includes('--hard');
  return verb === 'clean' && flags.some((flag) => flag === '--force' || /^-\w*f/.test(flag));
}

function targetsIn(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const flagged = end < 0 ? words : words.slice(0, end);
  return [...flagged.filter((word) => !word.startsWith('-')), ...(end < 0 ? [] : words.slice(end + 1))];
}

function isOutside(target: string, directory: string | undefined, isElsewhere: boolean): boolean {
  const path = target.replace(/^["']/, '');
  if (/^~|^\$HOME\b|^\$\{HOME\}/.test(path)) return true;
  if (path.startsWith('/')) {
    const whole = path.replace(/\/?["']?$/, '');
    return directory !== undefined && whole !== directory && pathWithin(whole, directory) === whole;
  }
  return !isElsewhere && /^\.\.(?:\/|["']?$)/.test(path);
}

/** The words of each simple command, with their quotes. What stands behind a here-document is data, or not: nothing is said of it. */
function commandsIn(command: string): string[][] {
  const commands: string[][] = [[]];
  let word = '';
  let quote = '';
  const endWord = () => {
    if (word !== '') commands.at(-1)?.push(word);
    word = '';
  };
  for (let at = 0; at < command.length; at += 1) {
    const letter = command.charAt(at);
    if (quote !== '') {
      word += letter;
      if (letter === '\\' && quote === '"') word += command.charAt(++at);
      else if (letter === quote) quote = '';
    } else if (command.startsWith('<<', at)) break;
    else if (letter === '\\') word += letter + command.charAt(++at);
    else if (letter === "'" || letter === '"') {
      quote = letter;
      word += letter;
    } else if (letter === '#' && word === '') at = endOfLine(command, at) - 1;
    else if (/[;&|()`\n]/.test(letter)) {
      endWord();
      commands.push([]);
    } else if (letter === '<' || letter === '>') {
      if (/^\d+$/.test(word)) word = '';
      endWord();
      // Where it reads or writes is nothing that it is told to delete.
      at = endOfTarget(command, at + 1);
    } else if (/\s/.test(letter)) endWord();
    else word += letter;
  }
  endWord();
  return commands.filter(({ length }) => length > 0);
}

function endOfLine(command: string, from: number): number {
  const end = command.indexOf('\n', from);
  return end < 0 ? command.length : end;
}

/** The last letter of `> file`, `2>&1` or `>>"file"`. */
function endOfTarget(command: string, from: number): number {
  const [target = ''] = /^[>&|]*[ \t]*(?:"[^"]*"|'[^']*'|[^\s;&|()`]*)/.exec(command.slice(from)) ?? [];
  return from + target.length - 1;
}
