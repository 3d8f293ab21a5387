/** What is said to who used a command wrongly: what is wrong, what would be right, and whose help tells more. */
import { ArgumentScannerError, formatMessageForArgumentScannerError } from '@stricli/core';
import { safe } from '../view/text/safe.js';
import { DEEDS, SPENDERS } from './help/command-group.js';

/** `command`: the one that was meant; absent where none was. */
export function misuseText(error: unknown, command: string | undefined): string {
  if (error instanceof ArgumentScannerError) return misuse(formatMessageForArgumentScannerError(error, WORDS), command);
  return misuse(error instanceof Error ? error.message : String(error), command);
}

/** For `--name=`, which the library takes for a word: it would become a part of the prompt. */
export function emptyFlagText(words: readonly string[], command: string | undefined): string | undefined {
  const end = words.indexOf('--');
  const flag = words.slice(0, end < 0 ? undefined : end).find((word) => /^--[a-z][\w-]*=$/i.test(word));
  return flag === undefined ? undefined : misuse(`${flag.slice(0, -1)} ${EMPTY}`, command);
}

export function unknownCommandText(input: string, corrections: readonly string[]): string {
  return misuse(`There is no command ${input}${orMeant(suggested(input, corrections))}`, undefined);
}

function misuse(sentence: string, command: string | undefined): string {
  const help = ['glassbox', ...(command === undefined ? [] : [command]), '--help'].join(' ');
  return `glassbox: ${safe(sentence).replace(/(?<![.?])$/, '.')} See ${help}.`;
}

const WORDS: Parameters<typeof formatMessageForArgumentScannerError>[1] = {
  AliasNotFoundError: ({ input }) => `There is no flag -${input}`,
  FlagNotFoundError: ({ input, corrections }) =>
    `There is no flag --${input}${orMeant(meantFlags(input, corrections))}`,
  ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
    input === ''
      ? `${asFlag(name)} ${EMPTY}`
      : `${asFlag(name)}: ${exception instanceof Error ? exception.message : String(exception)}`,
  EnumValidationError: ({ externalFlagName, input, values }) =>
    input === ''
      ? `${asFlag(externalFlagName)} ${EMPTY}. It is one of ${values.join(', ')}`
      : `${asFlag(externalFlagName)} is one of ${values.join(', ')}, not ${input}`,
  UnexpectedPositionalError: ({ input }) => `There is one word too many: ${input}`,
  UnsatisfiedPositionalError: ({ placeholder }) => `Say which ${needed(placeholder)}`,
  UnsatisfiedFlagError: ({ externalFlagName }) => `${asFlag(externalFlagName)} needs a value`,
  UnexpectedFlagError: ({ externalFlagName }) => `${asFlag(externalFlagName)} can be given once`,
};

/** Of `id and [files]` what must be said. */
const needed = (placeholder: string): string =>
  placeholder
    .split(' and ')
    .filter((part) => !part.startsWith('['))
    .join(' and ');

const EMPTY = 'is empty. Give it a value, or leave it out';
const asFlag = (name: string): string => (name.startsWith('-') ? name : `--${name}`);

function orMeant(corrections: readonly string[]): string {
  return corrections.length === 0 ? '' : `. Did you mean ${corrections.join(' or ')}?`;
}

/** What other programs call what we call otherwise. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['version', '--version'],
  ['list', 'sessions'],
  ['ls', 'sessions'],
  ['log', 'show'],
  ['logs', 'show'],
]);

/** Who mistyped is led to what decides, ends and removes nothing, and to what costs money only when nothing else can be meant. */
function suggested(input: string, corrections: readonly string[]): string[] {
  const other = OTHER_NAMES.get(input);
  if (other !== undefined) return [other];
  return corrections
    .map((name) => name.replaceAll('`', ''))
    .filter((name) => !DEEDS.has(name) && (SPENDERS.has(name) ? isOneSlip(input, name) : isNear(input, name)));
}

/** The library does not know that every command has help. */
function meantFlags(input: string, corrections: readonly string[]): string[] {
  const known = new Set(['help', ...corrections.map((name) => name.replace(/^-+/, ''))]);
  return [...known].filter((name) => !CONSENTS.has(name) && isNear(input, name)).map(asFlag);
}

/** Nobody is led to agreeing beforehand, or to an open door. */
const CONSENTS: ReadonlySet<string> = new Set(['yes', 'insecure']);

const isNear = (input: string, name: string): boolean => name.startsWith(input) || isOneSlip(input, name);

/** One letter too many, missing or another, or two that changed places. */
function isOneSlip(input: string, name: string): boolean {
  const [short = '', long = ''] = [input, name].sort((a, b) => a.length - b.length);
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return short.slice(at + 1) === long.slice(at + 1) || (isSwapped && short.slice(at + 2) === long.slice(at + 2));
}
