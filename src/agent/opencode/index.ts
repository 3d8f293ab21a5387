/** opencode behind the agent contract. */
import { createFamilyAgent } from '../opencode-family/agent.js';

export const opencode = createFamilyAgent({
  name: 'opencode',
  title: 'opencode',
  install: 'npm install -g opencode-ai',
  prefix: 'OPENCODE',
  member: 'opencode',
  agentInfo: /^opencode/i,
  hints: {
    auth: 'Run `opencode auth login`, or set the key of the provider.',
    'model-not-found': 'Choose another model as provider/model; `opencode models` lists them.',
    config: 'Check opencode.json and the environment.',
  },
});
