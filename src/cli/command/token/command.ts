/** `glassbox token`: who may come in to a hub, with what, for how long. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { parseList } from '../../flag/parse-list.js';
import { parseText } from '../../flag/parse-text.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface TokenFlags extends StoreFlag {
  readonly scope?: string[];
  readonly project?: string[];
  readonly runner?: boolean;
  readonly expires?: number;
  readonly out?: string;
  readonly json?: boolean;
}

const VERBS = ['create', 'list', 'revoke', 'audit'] as const;
export type TokenVerb = (typeof VERBS)[number];

const flag = { kind: 'boolean', optional: true, withNegated: false } as const;

export const token = buildCommand<TokenFlags, [TokenVerb, string?], Context>({
  docs: {
    brief: 'Let people, programs and workers into your hub',
    fullDescription: `A token is a name, what it may do, for which projects, and for how long. It is shown once, when it is made; the store
keeps only its digest. Every hub over the store knows it, and no longer five seconds after it was revoked. Where the store is a hub
(--store https://…), whoever has a token with administer decides from afar.

  glassbox token create ann --scope view,approve,run --expires 90d
  glassbox token create ci --scope view,run --project shop --out ci.token
  glassbox token create builder-1 --runner --out worker.token
  glassbox token list
  glassbox token revoke 3f9c2a81b0d4
  glassbox token audit                             who did what, the latest first

view reads; operate interrupts, ends and removes; approve answers questions; run starts work and talks to it; administer decides who
else comes in. --runner is for a worker: it takes jobs and writes its own runs, sees nothing else and approves nothing.`,
  },
  parameters: {
    flags: {
      scope: {
        kind: 'parsed',
        parse: parseList,
        optional: true,
        placeholder: 'list',
        brief: 'What it may do: view,operate,approve,run,administer',
      },
      project: {
        kind: 'parsed',
        parse: parseList,
        optional: true,
        placeholder: 'list',
        brief: 'Only for these projects',
      },
      runner: { ...flag, brief: 'For a worker' },
      expires: {
        kind: 'parsed',
        parse: parseDays,
        optional: true,
        placeholder: 'time',
        brief: 'For how long it holds: 12h, 90d, never (default: 90d)',
      },
      out: {
        kind: 'parsed',
        parse: parseText,
        optional: true,
        placeholder: 'file',
        brief: 'Write it into a new file for you alone, and do not print it',
      },
      json: { ...flag, brief: 'As JSON' },
      ...storeFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: parseVerb, placeholder: 'what', brief: VERBS.join(', ') },
        { parse: String, placeholder: 'name or id', brief: 'Of whom; which one', optional: true },
      ],
    },
  },
  loader: async () => (await import('./change-tokens.js')).changeTokens,
});

function parseVerb(written: string): TokenVerb {
  const verb = VERBS.find((one) => one === written);
  if (!verb) throw new SyntaxError(`Write one of ${VERBS.join(', ')}, not ${written}`);
  return verb;
}

/** Zero: for ever. */
function parseDays(written: string): number {
  if (written === 'never') return 0;
  const [, number, unit] = /^(\d+)(h|d)$/.exec(written) ?? [];
  if (number === undefined || Number(number) === 0)
    throw new SyntaxError(`Write a time as 12h, 90d or never, not ${written}`);
  return Number(number) * (unit === 'h' ? 3_600_000 : 86_400_000);
}
