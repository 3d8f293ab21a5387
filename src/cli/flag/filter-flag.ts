/** The flags that choose sessions, and the filter they make. */
import path from 'node:path';
import type { FlagParametersForType } from '@stricli/core';
import { parseAmount } from '../../client/amount.js';
import { parseMoment } from '../../client/moment.js';
import { END_REASONS } from '../../event/index.js';
import type { Filter, Outcome } from '../../store/index.js';
import { parseText } from './parse-text.js';

export interface FilterFlags {
  readonly agent?: string;
  readonly project?: string;
  readonly here?: boolean;
  readonly outcome?: Outcome;
  readonly since?: number;
  readonly until?: number;
  readonly minCost?: number;
  readonly maxCost?: number;
}

const OUTCOMES: readonly Outcome[] = [...END_REASONS, 'interrupted'];
const moment = {
  kind: 'parsed',
  parse: (text: string) => parseMoment(text),
  optional: true,
  placeholder: 'day',
} as const;
const money = { kind: 'parsed', parse: parseAmount, optional: true, placeholder: 'usd' } as const;

export const filterFlags: FlagParametersForType<FilterFlags> = {
  agent: { kind: 'parsed', parse: parseText, optional: true, placeholder: 'name', brief: 'Only of this agent' },
  project: {
    kind: 'parsed',
    parse: (text: string) => path.resolve(parseText(text)),
    optional: true,
    placeholder: 'dir',
    brief: 'Only in this directory and below',
  },
  here: { kind: 'boolean', optional: true, brief: 'Only in the current directory and below' },
  outcome: { kind: 'enum', values: OUTCOMES, optional: true, brief: 'Only what ended like this' },
  since: { ...moment, brief: 'Only since 2026-01-31, today, yesterday, 24h, 7d' },
  until: { ...moment, brief: 'Only before that' },
  minCost: { ...money, brief: 'Only what cost at least so much' },
  maxCost: { ...money, brief: 'Only what cost at most so much' },
};

export function filterOf(flags: FilterFlags, { cwd }: Pick<NodeJS.Process, 'cwd'>): Filter {
  const { agent, project, here, outcome, since, until, minCost, maxCost } = flags;
  const filter: Filter = {
    ...{ agent, outcome, since, until },
    project: project ?? (here ? cwd() : undefined),
    minUsd: minCost,
    maxUsd: maxCost,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
