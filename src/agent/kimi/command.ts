/**
 * From a request to Kimi's argument vector, as its documents describe it. With `--print` every tool runs without being asked about,
 * so whoever may not do everything gets an agent that has only the tools it may use.
 */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, Program } from '../command.js';
import { BY_SIGNAL } from '../ending.js';

export const outputFlags: readonly string[] = ['--print', '--output-format=stream-json'];

export const program: Program = {
  names: ['kimi'],
  install: 'uv tool install kimi-cli',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: [],
  reservedFlags: [
    '--print',
    '-p',
    '--prompt',
    '-c',
    '--command',
    '--output-format',
    '--input-format',
    '--yolo',
    '-y',
    '--agent',
    '--agent-file',
    '-C',
    '--continue',
    '-S',
    '--session',
    '-m',
    '--model',
    '--wire',
    '--acp',
  ],
};

export function command(request: CommandRequest): Command {
  const { prompt = '', permission, model, resume, sessionId, mcpConfig, extraArgs = [] } = request;
  const isFree = permission === 'bypass';
  const args = [
    ...outputFlags,
    ...(isFree ? [] : [`--agent-file=${AGENT}`]),
    ...valued('--model', model),
    ...valued('--mcp-config-file', mcpConfig),
    ...(resume === 'latest' ? ['--continue'] : valued('--session', resume ?? sessionId)),
    ...extraArgs,
  ];
  const tools = [...LOOKING, ...(permission === 'accept-edits' ? EDITING : [])];
  const files = isFree ? undefined : [{ placeholder: AGENT, name: 'glassbox-agent.yaml', text: agentWith(tools) }];
  // By stdin a prompt can be neither a flag nor too long.
  return { program: 'kimi', args, stdin: { kind: 'text', text: prompt }, ending, ...(files && { files }) };
}

const AGENT = '{agent}';
const LOOKING = ['file:ReadFile', 'file:Glob', 'file:Grep', 'web:SearchWeb', 'web:FetchURL', 'todo:SetTodoList'];
const EDITING = ['file:WriteFile', 'file:StrReplaceFile'];

/** JSON is YAML too. */
function agentWith(tools: readonly string[]): string {
  const agent = { extend: 'default', tools: tools.map((tool) => `kimi_cli.tools.${tool}`), subagents: {} };
  return JSON.stringify({ version: 1, agent });
}

const ending = BY_SIGNAL;
