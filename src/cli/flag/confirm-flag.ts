/** For commands that take something away. */
import type { FlagParametersForType } from '@stricli/core';

export interface ConfirmFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export const confirmFlags: FlagParametersForType<ConfirmFlags> = {
  yes: { kind: 'boolean', optional: true, withNegated: false, brief: 'Do not ask, as in a script' },
  dryRun: { kind: 'boolean', optional: true, withNegated: false, brief: 'Only say what would happen' },
};

export const confirmAliases = { y: 'yes' } as const;
