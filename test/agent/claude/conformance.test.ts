import { claude } from '../../../src/agent/claude/index.js';
import { testAgent } from '../suite.js';

const base = '--print --output-format stream-json --verbose --permission-mode=default --include-partial-messages';

testAgent({
  agent: claude,
  folders: ['claude'],
  commands: [['the prompt stands behind everything else', {}, `${base} -- go`, 'none']],
});
