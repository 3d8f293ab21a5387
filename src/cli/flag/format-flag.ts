/** How a run that goes on is shown. */
import type { FlagParametersForType } from '@stricli/core';

const FORMATS = ['auto', 'live', 'plain', 'lines'] as const;

export interface FormatFlag {
  readonly format: (typeof FORMATS)[number];
}

export const formatFlag: FlagParametersForType<FormatFlag> = {
  format: {
    kind: 'enum',
    values: FORMATS,
    default: 'auto',
    brief: 'live: drawn while it goes on; plain: in words, for screen readers; lines: one for each step',
  },
};
