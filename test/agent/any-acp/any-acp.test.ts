import { anyAcp } from '../../../src/agent/any-acp/index.js';
import { acpHost } from '../acp/host.js';
import { testAgent } from '../suite.js';

testAgent({
  agent: anyAcp,
  folders: ['opencode-acp'],
  commands: [['the arguments are the user’s', { extraArgs: ['--acp', '-x'] }, '--acp -x', 'lines']],
  hosts: { 'opencode-acp': acpHost },
});
