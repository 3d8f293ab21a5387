/** From a request to the argument vector of GitHub Copilot CLI. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, EndingLadder, Permission, Program } from '../command.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--output-format', 'json'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g @github/copilot',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: [],
  reservedFlags: [
    '-p',
    '--prompt',
    '-i',
    '--interactive',
    '--output-format',
    '--stream',
    '-s',
    '--silent',
    '--resume',
    '--continue',
    '--session-id',
    '--model',
    '--allow-all',
    '--yolo',
    '--allow-all-tools',
    '--allow-all-paths',
    '--plan',
    '--autopilot',
    '--acp',
  ],
};

export const efforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

export function command(request: CommandRequest): Command {
  const { permission, deltas, model, resume, sessionId, mcpConfig, extraArgs = [] } = request;
  const files = (request.attachments ?? []).map(({ name, data }, at) => ({
    placeholder: `{glassbox:attachment-${at}}`,
    name: `${at + 1}-${name}`,
    text: data,
    isBase64: true,
  }));
  const args = [
    ...outputFlags,
    ...(deltas ? [] : ['--stream=off']),
    ...permissionFlags[permission],
    ...valued('--model', model),
    ...valued('--reasoning-effort', request.effort),
    ...each('--add-dir', request.addDirs),
    ...each('--allow-tool', request.allowedTools),
    ...each('--deny-tool', request.disallowedTools),
    ...valued('--additional-mcp-config', mcpConfig),
    ...(resume === 'latest' ? ['--continue'] : valued('--resume', resume)),
    ...valued('--session-id', sessionId),
    ...files.flatMap(({ placeholder }) => valued('--attachment', placeholder)),
    ...extraArgs,
  ];
  // Without `-p` the prompt is read from stdin, where it can be neither a flag nor too long.
  return { program: 'copilot', args, stdin: { kind: 'text', text: request.prompt ?? '' }, files, ending };
}

/** Nobody can be asked: what would have to be is refused by the program itself, and the run goes on. */
const permissionFlags: Readonly<Record<Permission, readonly string[]>> = {
  ask: [],
  deny: [],
  'accept-edits': ['--allow-tool=write'],
  plan: ['--plan'],
  bypass: ['--allow-all'],
};

function each(flag: string, values: readonly string[] = []): string[] {
  return values.flatMap((value) => valued(flag, value));
}

/** The launcher forwards no signal, so the signal goes to the whole group; a polite one lets the program end its commands. */
const ending: EndingLadder = [
  { do: 'signal', signal: 'SIGINT', waitMs: 2500 },
  { do: 'signal', signal: 'SIGTERM', waitMs: 2000 },
];
