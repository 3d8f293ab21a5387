/** What the help of one command says: how it is written, what it does, its flags with the names of their values. */
import type { Command } from '@stricli/core';
import type { Context } from '../context.js';
import type { HelpPage } from './help-page.js';

type Parameters = Command<Context>['parameters'];
type Flag = NonNullable<Parameters['flags']>[string];
type Positional = NonNullable<Parameters['positional']>;

/** Choices that are longer stand in what is said of the flag. */
const LONGEST_CHOICE = 24;

export function commandHelp(page: HelpPage, name: string, command: Command<Context>): string[] {
  const { flags = {}, aliases = {}, positional } = command.parameters;
  const letters = new Map(Object.entries(aliases).map(([letter, flag]) => [flag, letter]));
  const visible = Object.entries(flags).filter(([, { hidden }]) => hidden !== true);
  const values = positional ? positionalsOf(positional) : [];
  return [
    page.heading('Usage'),
    ...page.prose(`  ${['glassbox', name, ...values.map(({ shown }) => shown), '[flags]'].join(' ')}`),
    '',
    ...page.prose(command.fullDescription ?? command.brief),
    ...(values.length > 0
      ? ['', page.heading('Arguments'), ...page.entries(values.map(({ shown, brief }) => [shown, brief]))]
      : []),
    '',
    page.heading('Flags'),
    ...page.entries([
      ...visible.map(([flag, facts]): [string, string] => [
        flagName(kebab(flag), letters.get(flag), facts),
        flagMeaning(facts),
      ]),
      ['-h, --help', 'This'],
    ]),
  ];
}

function positionalsOf(positional: Positional): { shown: string; brief: string }[] {
  if (positional.kind === 'tuple')
    return positional.parameters.map(({ placeholder = 'value', brief, optional }) => ({
      shown: optional === true ? `[${placeholder}]` : `<${placeholder}>`,
      brief,
    }));
  const { placeholder = 'values', brief } = positional.parameter;
  const words = placeholder.split(' and ');
  // What may be left out is written in brackets.
  const named = words.map((word) => (word.startsWith('[') ? word : `<${word}>`));
  return [{ shown: words.length > 1 ? named.join(' ') : `[${placeholder} …]`, brief }];
}

function flagName(name: string, letter: string | undefined, flag: Flag): string {
  const long =
    flag.kind === 'boolean' && saysDefault(flag) && flag.withNegated !== false ? `--[no-]${name}` : `--${name}`;
  const value = valueName(flag);
  return `${letter === undefined ? '    ' : `-${letter}, `}${long}${value === undefined ? '' : ` <${value}>`}`;
}

function valueName(flag: Flag): string | undefined {
  if (flag.kind === 'parsed') return flag.placeholder ?? 'value';
  if (flag.kind !== 'enum') return undefined;
  const all = flag.values.join('|');
  return all.length <= LONGEST_CHOICE ? all : 'choice';
}

function flagMeaning(flag: Flag): string {
  const parts = [flag.brief];
  if (flag.kind === 'enum' && valueName(flag) === 'choice') parts.push(`one of ${flag.values.join(', ')}`);
  const byDefault = 'default' in flag ? flag.default : undefined;
  const isSaid = byDefault === undefined || byDefault === '' || /default/i.test(flag.brief);
  const shown = byDefault === true ? 'yes' : String(byDefault);
  return `${parts.join('; ')}${isSaid ? '' : ` (default: ${shown})`}`;
}

/** Whoever says what happens without it can also be told not to. */
function saysDefault(flag: Flag): boolean {
  return ('default' in flag && flag.default === true) || flag.brief.includes('(default:');
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
