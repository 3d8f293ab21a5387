/** From a request to Cline's argument vector. */
import { BIN_DIRS, valued } from '../argument.js';
import type { Command, CommandRequest, EndingLadder, Permission, Program } from '../command.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--json'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g cline',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: [],
  reservedFlags: [
    '--json',
    '--auto-approve',
    '--plan',
    '-p',
    '--id',
    '--model',
    '-m',
    '--system',
    '-s',
    '--acp',
    '--tui',
    '-i',
    '--zen',
    '-z',
    '--cwd',
    '-c',
  ],
};

export const efforts: readonly string[] = ['none', 'low', 'medium', 'high', 'xhigh'];

export function command(request: CommandRequest): Command {
  const { prompt = '', permission, model, effort, systemPrompt, extraArgs = [] } = request;
  const chosen = [...valued('--model', model), ...valued('--thinking', effort), ...valued('--system', systemPrompt)];
  const args = [...outputFlags, ...permissionFlags[permission], ...chosen, ...extraArgs];
  return { program: 'cline', args: [...args, '--', promptFor(prompt)], stdin: { kind: 'none' }, ending };
}

/** With `--json` the prompt is taken from no other place, and one word alone, without any space, for a command of the program. */
function promptFor(prompt: string): string {
  return /\s/.test(prompt) ? prompt : `${prompt} `;
}

/** Everything is approved unless it is told not to; then a call is refused, because nobody can be asked. */
const permissionFlags: Readonly<Record<Permission, readonly string[]>> = {
  ask: ['--auto-approve=false'],
  deny: ['--auto-approve=false'],
  'accept-edits': ['--auto-approve=false'],
  plan: ['--plan', '--auto-approve=false'],
  bypass: ['--auto-approve=true'],
};

/** SIGINT ends the stream at once; SIGTERM waits for the tool that runs. The hub that stays behind is found by its environment. */
const ending: EndingLadder = [
  { do: 'signal', signal: 'SIGINT', waitMs: 2000 },
  { do: 'signal', signal: 'SIGTERM', waitMs: 1000 },
];
