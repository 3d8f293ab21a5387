import { kilo } from '../../../src/agent/kilo/index.js';
import { familyChecks, familyCommands } from '../opencode-family/conformance.js';
import { testAgent } from '../suite.js';

testAgent({ agent: kilo, folders: ['kilo'], commands: familyCommands, check: familyChecks });
