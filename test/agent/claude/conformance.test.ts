import { claude } from '../../../src/agent/claude/index.js';
import { testAgent } from '../suite.js';
import { claudeHost } from './host.js';

const base = '--print --output-format stream-json --verbose --permission-mode=default --include-partial-messages';

testAgent({
  agent: claude,
  folders: ['claude'],
  hosts: { claude: claudeHost },
  commands: [['the prompt stands behind everything else', {}, `${base} -- go`, 'none']],
});
