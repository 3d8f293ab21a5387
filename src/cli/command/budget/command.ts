/** `glassbox budget`: what many runs together may cost. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parseText } from '../../flag/parse-text.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface BudgetFlags extends StoreFlag {
  readonly usd?: number;
  readonly per?: 'day' | 'month';
  readonly project?: string;
  readonly principal?: string;
  readonly running?: 'finish' | 'end';
  readonly unknown?: 'count' | 'refuse';
  readonly json?: boolean;
}

const VERBS = ['set', 'list', 'remove'] as const;
export type BudgetVerb = (typeof VERBS)[number];

const text = { kind: 'parsed', parse: parseText, optional: true } as const;

export const budget = buildCommand<BudgetFlags, [BudgetVerb, string?], Context>({
  docs: {
    brief: 'Limit what many runs together may cost',
    fullDescription: `A budget is for a day or a month (of UTC), for one project, one principal, both, or everything. From 80 % on it warns; when
all is spent, new work waits until there is money again. Each run that begins may spend what is left, so that a budget is overspent by
at most one turn of each agent that runs.

  glassbox budget set team --usd 50 --per day
  glassbox budget set shop --usd 400 --per month --project shop --running end
  glassbox budget set ann --usd 10 --per day --principal ann --unknown refuse
  glassbox budget list
  glassbox budget remove shop

Runs of which nobody knows what they cost are counted and shown; with --unknown refuse no more work begins once there is one.
At a hub (--store https://…) budgets are listed; they are set in the store that it uses.`,
  },
  parameters: {
    flags: {
      usd: { kind: 'parsed', parse: parseUsd, optional: true, placeholder: 'n', brief: 'How much, in dollars' },
      per: { kind: 'enum', values: ['day', 'month'], optional: true, brief: 'In which time (default: day)' },
      project: { ...text, placeholder: 'name', brief: 'Only what is spent for this project' },
      principal: { ...text, placeholder: 'name', brief: 'Only what is spent by this one' },
      running: {
        kind: 'enum',
        values: ['finish', 'end'],
        optional: true,
        brief: 'What becomes of work that goes on when all is spent (default: finish)',
      },
      unknown: {
        kind: 'enum',
        values: ['count', 'refuse'],
        optional: true,
        brief: 'Whether runs of unknown cost are only counted (default: count)',
      },
      json: { kind: 'boolean', optional: true, withNegated: false, brief: 'As JSON' },
      ...storeFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: parseVerb, placeholder: 'what', brief: VERBS.join(', ') },
        { parse: parseName, placeholder: 'name', brief: 'Which budget', optional: true },
      ],
    },
  },
  loader: async () => (await import('./change-budgets.js')).changeBudgets,
});

function parseVerb(written: string): BudgetVerb {
  const verb = VERBS.find((one) => one === written);
  if (!verb) throw new SyntaxError(`Write one of ${VERBS.join(', ')}, not ${written}`);
  return verb;
}

function parseName(written: string): string {
  if (!/^[\w.-]{1,64}$/.test(written)) throw new SyntaxError('Write a name of letters, digits and . _ -');
  return written;
}

function parseUsd(written: string): number {
  const usd = Number(written.replace(/^\$/, ''));
  if (!(usd > 0)) throw new SyntaxError(`Write a number above 0, not ${written}`);
  return usd;
}
