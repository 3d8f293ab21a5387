/** For streams whose first lines do not say who printed them. */
import type { FlagParametersForType } from '@stricli/core';
import { parseText } from './parse-text.js';

export interface AgentFlag {
  readonly agent?: string;
}

export const agentFlag: FlagParametersForType<AgentFlag> = {
  agent: {
    kind: 'parsed',
    parse: parseText,
    optional: true,
    placeholder: 'name',
    brief: 'The agent that printed it, instead of guessing',
  },
};
