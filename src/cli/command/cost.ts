/** `glassbox cost`: where the money went. */
import { buildCommand } from '@stricli/core';
import { TOTAL_KEYS, type TotalKey } from '../../store/query.js';
import { COLOR_CHOICES, type ColorChoice } from '../color.js';
import type { Context } from '../context.js';
import { type FilterFlags, filterFlags } from '../filter-flag.js';
import { type StoreFlag, storeFlag } from '../store-flag.js';

export interface CostFlags extends FilterFlags, StoreFlag {
  readonly by: TotalKey;
  readonly json?: boolean;
  readonly color: ColorChoice;
}

export const cost = buildCommand<CostFlags, [], Context>({
  docs: {
    brief: 'Where the money and the tokens went',
    fullDescription: `Sums up what sessions cost, by day, project, agent, model or tool. "about" is computed from tokens and published
prices; "at least" means that a part is not known. By tool it is an estimate: what the messages that called the tool cost.

  glassbox cost                             by day
  glassbox cost --by project --since 30d
  glassbox cost --by tool --here
  glassbox cost --by model --json`,
  },
  parameters: {
    flags: {
      by: { kind: 'enum', values: TOTAL_KEYS, default: 'day', brief: 'What to sum up by' },
      ...filterFlags,
      json: { kind: 'boolean', optional: true, brief: 'As JSON, one sum a line' },
      color: { kind: 'enum', values: COLOR_CHOICES, default: 'auto', brief: 'Colours' },
      ...storeFlag,
    },
    aliases: { b: 'by' },
  },
  loader: async () => (await import('../sum-cost.js')).sumCost,
});
