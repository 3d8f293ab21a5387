/** Which store a command means. Without the flag `GLASSBOX_STORE` decides, else it is the user's own. */
import type { FlagParametersForType } from '@stricli/core';
import { parseText } from './parse-text.js';

export interface StoreFlag {
  readonly store?: string;
}

/** For commands that keep what they do. */
export interface KeepFlags extends StoreFlag {
  readonly noStore?: boolean;
  readonly checkpoints?: boolean;
}

export const storeFlag: FlagParametersForType<StoreFlag> = {
  store: {
    kind: 'parsed',
    parse: parseText,
    optional: true,
    placeholder: 'file',
    brief:
      'What keeps the sessions: a file, a database (postgres://…) or a hub (https://…); default: GLASSBOX_STORE, or a file in your data directory',
  },
};

export const keepFlags: FlagParametersForType<KeepFlags> = {
  ...storeFlag,
  noStore: { kind: 'boolean', optional: true, withNegated: false, brief: 'Do not keep this run' },
  checkpoints: {
    kind: 'boolean',
    optional: true,
    brief: 'Keep the files before and after each turn, for glassbox rewind (default: yes)',
  },
};
