/** `glassbox cost`: where the money went. */
import { buildCommand } from '@stricli/core';
import { TOTAL_KEYS, type TotalKey } from '../../../store/query.js';
import type { Context } from '../../context.js';
import { colorFlag } from '../../flag/color-flag.js';
import { type FilterFlags, filterFlags } from '../../flag/filter-flag.js';
import { parseCount } from '../../flag/parse-count.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';
import type { ColorChoice } from '../../print/color.js';

export interface CostFlags extends FilterFlags, StoreFlag {
  readonly by: TotalKey;
  readonly watch?: boolean;
  readonly limit: number;
  readonly json?: boolean;
  readonly kept?: boolean;
  readonly color: ColorChoice;
}

export const cost = buildCommand<CostFlags, [], Context>({
  docs: {
    brief: 'Where the money and the tokens went',
    fullDescription: `Sums up what sessions cost. "about" is computed from tokens and published prices; "at least" means that a part is not known. Input
counts what came from the cache and what was written to it. By tool it is an estimate: what the messages that called the tool cost. By
cause it is one too: what model calls were made for, and what broken caches, failed and repeated tools, retries and sub-agents cost of
it (the document about cost defines each). Days and weeks come with this week against last, and with how far accounts are used up where
agents tell that.

What agents left on this machine counts too: what is new there is looked through for money first, which is quick. glassbox import
reads the rest of it; glassbox serve, tui and watch --all do so while they run.

  glassbox cost                             by day
  glassbox cost --by project --since 30d
  glassbox cost --by cause                  what it was spent for
  glassbox cost --by session --since 7d
  glassbox cost --by tool --here
  glassbox cost --watch                     again whenever something was spent
  glassbox cost --by model --json`,
  },
  parameters: {
    flags: {
      by: { kind: 'enum', values: TOTAL_KEYS, default: 'day', brief: 'What to sum up by' },
      ...filterFlags,
      kept: { kind: 'boolean', optional: true, withNegated: false, brief: 'Only what is kept; do not look for more' },
      watch: { kind: 'boolean', optional: true, withNegated: false, brief: 'Redraw whenever the store changes' },
      limit: {
        kind: 'parsed',
        parse: parseCount,
        default: '30',
        placeholder: 'n',
        brief: 'Rows of the table at most; the others are one row',
      },
      json: { kind: 'boolean', optional: true, brief: 'As JSON, one sum a line' },
      ...colorFlag,
      ...storeFlag,
    },
    aliases: { b: 'by', n: 'limit' },
  },
  loader: async () => (await import('./sum-cost.js')).sumCost,
});
