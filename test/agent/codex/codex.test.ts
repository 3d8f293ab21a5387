import { codex } from '../../../src/agent/codex/index.js';
import { testAgent } from '../suite.js';

const exec = 'exec --json';
const id = '01a1e1ab-bf44-7f92-b571-6e1862c11bf7';
const mcpConfig = '{"mcpServers":{"s":{"type":"stdio","command":"node","args":["a b"],"env":{"K":"v"}}}}';

testAgent({
  agent: codex,
  folders: ['codex', 'codex-0.65.0'],
  commands: [
    ['the prompt goes by stdin', {}, `${exec} --sandbox=read-only -`, 'text'],
    ['accept-edits', { permission: 'accept-edits' }, `${exec} --sandbox=workspace-write -`],
    ['plan', { permission: 'plan' }, `${exec} --sandbox=read-only -`],
    ['bypass', { permission: 'bypass' }, `${exec} --dangerously-bypass-approvals-and-sandbox -`],
    [
      'model and directories',
      { model: 'm', addDirs: ['/a', '/b'] },
      `${exec} --model=m --sandbox=read-only --add-dir=/a --add-dir=/b -`,
    ],
    ['resume', { resume: id }, `${exec} --sandbox=read-only resume -- ${id} -`],
    ['resume the latest', { resume: 'latest' }, `${exec} --sandbox=read-only resume --last -`],
    ['fork', { resume: id, fork: true }, `${exec} --sandbox=read-only fork -- ${id} -`],
    ['exec cannot fork the latest', { resume: 'latest', fork: true }, 'app-server', 'lines'],
    ['schema', { outputSchema: {} }, `${exec} --sandbox=read-only --output-schema {schema} -`],
    [
      'system prompt as TOML',
      { systemPrompt: 'Be "brief".\n\u007f' },
      `${exec} --sandbox=read-only -c developer_instructions="Be \\"brief\\".\\n\\u007F" -`,
    ],
    [
      'MCP servers as TOML',
      { mcpConfig },
      `${exec} --sandbox=read-only -c mcp_servers.s={"command"="node","args"=["a b"],"env"={"K"="v"}} -`,
    ],
    [
      'what is no JSON is refused by Codex aloud',
      { mcpConfig: 'mcp.json' },
      `${exec} --sandbox=read-only -c mcp_servers="mcp.json" -`,
    ],
    ['further arguments', { extraArgs: ['--ephemeral'] }, `${exec} --sandbox=read-only --ephemeral -`],
    ['a conversation', { mode: 'conversation', extraArgs: ['-c', 'x=1'] }, 'app-server -c x=1', 'lines'],
    ['asking needs a conversation', { permission: 'ask' }, 'app-server', 'lines'],
  ],
});
