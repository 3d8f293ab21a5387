import { opencode } from '../../../src/agent/opencode/index.js';
import { acpHost } from '../acp/host.js';
import { familyChecks, familyCommands } from '../opencode-family/conformance.js';
import { testAgent } from '../suite.js';

testAgent({
  agent: opencode,
  folders: ['opencode', 'opencode-acp'],
  commands: familyCommands,
  hosts: { 'opencode-acp': acpHost },
  check: familyChecks,
});
