/** opencode behind the agent contract. */
import type { Agent } from '../agent.js';
import { createFamilyAgent } from '../opencode-family/index.js';
import { trace } from './trace.js';

export const opencode: Agent = {
  ...createFamilyAgent({
    trace,
    install: 'npm install -g opencode-ai',
    prefix: 'OPENCODE',
    member: 'opencode',
    agentInfo: /^opencode/i,
    hints: {
      auth: 'Run `opencode auth login`, or set the key of the provider.',
      'model-not-found': 'Choose another model as provider/model; `opencode models` lists them.',
      config: 'Check opencode.json and the environment.',
    },
  }),
  otherOutput: (head) => (SERVER.test(head) ? EVENTS : undefined),
};

const SERVER = /^(?:data: ?)?\{"id":"evt_[^"]*","type":"(?:server|session|message|permission|question|todo|file)\./m;
const EVENTS =
  'These are the events of `opencode serve`, of all its sessions at once. Use `opencode run --format json`, or `glassbox run opencode`, which talks to it by itself.';
