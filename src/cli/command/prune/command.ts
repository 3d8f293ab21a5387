/** `glassbox prune`: make room. */
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.js';
import { type ConfirmFlags, confirmAliases, confirmFlags } from '../../flag/confirm-flag.js';
import { type StoreFlag, storeFlag } from '../../flag/store-flag.js';

export interface PruneFlags extends ConfirmFlags, StoreFlag {
  readonly olderThan?: number;
  readonly maxSize?: number;
}

export const prune = buildCommand<PruneFlags, [], Context>({
  docs: {
    brief: 'Remove the oldest sessions, to make room',
    fullDescription: `Removes sessions from the store for good, the oldest first; one that is running or pinned never. It says what would go and asks first.

  glassbox prune --older-than 90d           what was last active longer ago
  glassbox prune --max-size 2GB             the oldest, until the rest fits
  glassbox prune --older-than 90d --dry-run only say what would go

To remove the ones that you name see glassbox delete.`,
  },
  parameters: {
    flags: {
      olderThan: {
        kind: 'parsed',
        parse: parseAge,
        optional: true,
        placeholder: 'age',
        brief: 'Last active longer ago than 12h, 90d, 26w',
      },
      maxSize: {
        kind: 'parsed',
        parse: parseSize,
        optional: true,
        placeholder: 'size',
        brief: 'Keep at most 500MB, 2GB',
      },
      ...confirmFlags,
      ...storeFlag,
    },
    aliases: confirmAliases,
  },
  loader: async () => (await import('./prune-store.js')).pruneStore,
});

const HOUR_MS = 3_600_000;
const AGES: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 168 * HOUR_MS };
const SIZES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

function parseAge(text: string): number {
  const [, count, unit = ''] = /^(\d+)([hdw])$/.exec(text) ?? [];
  if (count === undefined) throw new SyntaxError(`Write an age as 12h, 90d or 26w, not ${text}`);
  return Number(count) * (AGES[unit] ?? 0);
}

function parseSize(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMG]B)$/i.exec(text) ?? [];
  if (count === undefined) throw new SyntaxError(`Write a size as 500MB or 2GB, not ${text}`);
  return Number(count) * (SIZES[unit.toUpperCase()] ?? 0);
}
