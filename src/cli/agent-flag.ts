/** For streams whose first lines do not say who printed them. */
import type { FlagParametersForType } from '@stricli/core';

export interface AgentFlag {
  readonly agent?: string;
}

export const agentFlag: FlagParametersForType<AgentFlag> = {
  agent: {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: 'name',
    brief: 'The agent that printed it, instead of guessing',
  },
};
