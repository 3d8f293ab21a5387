/** What the words before the cursor are: which command, and whether a value of a flag or which argument is to come. */
import type { Command } from '@stricli/core';
import type { Context } from '../context.js';

export type Place = { flag: string } | { argument: number };

/** `before`: the words behind the name of the command, without the one that is being written. */
export function placeOf(before: readonly string[], { parameters }: Command<Context>): Place {
  const { flags = {}, aliases = {} } = parameters;
  let argument = 0;
  let flag: string | undefined;
  for (const word of before) {
    if (flag !== undefined) {
      flag = undefined;
    } else if (word.startsWith('-') && word.length > 1) {
      const name = word.startsWith('--')
        ? camel(word.slice(2))
        : Object.entries(aliases).find(([letter]) => word === `-${letter}`)?.[1];
      const kind = name === undefined ? undefined : flags[name]?.kind;
      if (kind === 'parsed' || kind === 'enum') flag = name;
    } else {
      argument++;
    }
  }
  return flag === undefined ? { argument } : { flag };
}

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
