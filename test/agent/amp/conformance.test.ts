import { amp } from '../../../src/agent/amp/index.js';
import { testAgent } from '../suite.js';

const bare = '--execute --stream-json --stream-json-thinking';
const stream = `${bare} --settings-file={glassbox:settings}`;

testAgent({
  agent: amp,
  folders: ['amp', 'amp-2026-01', 'amp-latest'],
  commands: [
    ['the prompt goes by stdin', {}, stream, 'text'],
    ['bypass', { permission: 'bypass' }, `${bare} --dangerously-allow-all`],
    ['resume', { resume: 'T-1' }, `threads continue ${stream} -- T-1`],
    ['resume the latest', { resume: 'latest' }, `threads continue --last ${stream}`],
    ['MCP servers as others want them', { mcpConfig: '{"mcpServers":{"a":{}}}' }, `${stream} --mcp-config={"a":{}}`],
    ['MCP servers', { mcpConfig: '{}' }, `${stream} --mcp-config={}`],
    [
      'a conversation',
      { mode: 'conversation' },
      `${bare} --stream-json-input --settings-file={glassbox:settings}`,
      'lines',
    ],
  ],
});
