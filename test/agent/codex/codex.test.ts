import { codex } from '../../../src/agent/codex/index.js';
import type { RecordedHost } from '../../../src/agent/conformance/replay.js';
import type { Permission } from '../../../src/agent/index.js';
import { testAgent } from '../suite.js';

const exec = 'exec --json --skip-git-repo-check';
const id = '01a1e1ab-bf44-7f92-b571-6e1862c11bf7';
const mcpConfig = '{"mcpServers":{"s":{"type":"stdio","command":"node","args":["a b"],"env":{"K":"v"}}}}';

/** The recorder that drove `codex app-server`. */
const host: RecordedHost = {
  // One recorder only tried what is refused.
  isHost: ([first]) => first?.method === 'initialize',
  request(said) {
    const paramsOf = (name: string) => members(said.find(({ method }) => method === name)?.params);
    const thread = paramsOf('thread/start');
    const turn = paramsOf('turn/start');
    const config = members(thread.config);
    const permission = Object.entries({
      ask: 'read-only on-request',
      deny: 'read-only never',
      bypass: 'danger-full-access never',
    });
    return {
      prompt: textOf(turn),
      ...(typeof thread.model === 'string' && { model: thread.model }),
      permission: permission.find(
        ([, words]) => words === `${thread.sandbox} ${thread.approvalPolicy}`,
      )?.[0] as Permission,
      outputSchema: turn.outputSchema,
      ...(config.mcp_servers !== undefined && { mcpConfig: JSON.stringify({ mcpServers: config.mcp_servers }) }),
    };
  },
  action({ method, params, result, error }, asked) {
    if (method === 'thread/compact/start') return 'never';
    if (method === 'turn/interrupt') return { type: 'interrupt' };
    if (method === 'turn/start' || method === 'turn/steer') return { type: 'say', text: textOf(members(params)) };
    const by = { id: asked?.id ?? '', by: 'person' } as const;
    const { decision, action } = members(result);
    if (decision === 'accept' || action === 'accept') return { type: 'approve', ...by };
    if (result !== undefined || error !== undefined)
      return { type: 'deny', message: 'no', interrupt: decision === 'cancel', ...by };
    return undefined;
  },
  meaning({ id: _, method, params, result, error }) {
    // A host that answers with an error means no.
    if (error !== undefined) return [undefined, { decision: 'decline' }, {}];
    if (method === 'initialize') return method;
    const { config, ...rest } = members(params);
    // The recorder asked by `on-request` in a read-only sandbox; glassbox asks more often.
    const isAsking = rest.approvalPolicy === 'on-request' || rest.approvalPolicy === 'untrusted';
    const limits = isAsking && { approvalPolicy: 'asks', sandbox: 'asks' };
    return [method, result, { ...rest, ...limits, mcp: members(config).mcp_servers }];
  },
};

function members(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}

function textOf({ input }: Record<string, unknown>): string {
  return Array.isArray(input) ? (input[0]?.text ?? '') : '';
}

testAgent({
  agent: codex,
  folders: ['codex', 'codex-0.65.0', 'codex-app-server'],
  hosts: { 'codex-app-server': host },
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
    ['schema', { outputSchema: {} }, `${exec} --sandbox=read-only --output-schema {glassbox:schema} -`],
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
