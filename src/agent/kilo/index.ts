/** Kilo, a fork of opencode, behind the agent contract. */
import type { Agent } from '../agent.js';
import { createFamilyAgent } from '../opencode-family/index.js';
import { trace } from './trace.js';

export const kilo: Agent = {
  ...createFamilyAgent({
    trace,
    install: 'npm install -g @kilocode/cli',
    prefix: 'KILO',
    member: 'fork',
    agentInfo: /^kilo/i,
    hints: {
      auth: 'Run `kilo auth login`, or set the key of the provider.',
      'model-not-found': 'Choose another model as provider/model; `kilo models` lists them.',
      config: 'Check the configuration of Kilo and the environment.',
    },
  }),
};
