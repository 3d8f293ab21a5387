/** `glassbox search`: find an old session by a word in it. */
import { buildCommand } from '@stricli/core';
import { SEARCH_FIELDS, type SearchField } from '../../../store/query.js';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { type FilterFlags, filterFlags } from '../../flag/filter-flag.js';
import { parseCount } from '../../flag/parse-count.js';
import { parseText } from '../../flag/parse-text.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';
import type { ColorChoice } from '../../print/color.js';

export interface SearchFlags extends FilterFlags, StoreFlag {
  readonly tool?: string;
  readonly in?: SearchField;
  readonly newest?: boolean;
  readonly limit: number;
  readonly json?: boolean;
  readonly color: ColorChoice;
}

export const search = buildCommand<SearchFlags, string[], Context>({
  docs: {
    brief: 'Find sessions by the words in them',
    fullDescription: `Searches prompts, answers, thoughts, and what tools were given and returned. All words must occur in one place, in any case.

  glassbox search flaky login               both words
  glassbox search '"cannot find module"'    a phrase
  glassbox search 'migrat*' -rollback       a beginning, and without a word
  glassbox search EACCES --tool Bash --since 7d`,
  },
  parameters: {
    flags: {
      ...filterFlags,
      tool: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'name',
        brief: 'Only what this tool was given or returned',
      },
      in: { kind: 'enum', values: SEARCH_FIELDS, optional: true, brief: 'Only in this' },
      newest: { kind: 'boolean', optional: true, brief: 'The newest first, not the best' },
      limit: { kind: 'parsed', parse: parseCount, default: '10', placeholder: 'n', brief: 'How many sessions at most' },
      json: { kind: 'boolean', optional: true, brief: 'As JSON, one session with its hits a line' },
      ...colorFlag,
      ...storeFlag,
    },
    aliases: { n: 'limit' },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: String, placeholder: 'words', brief: 'What to look for' },
    },
  },
  loader: async () => (await import('./search-sessions.js')).searchSessions,
});
