/** From a request to pi's argument vector: `--mode json` for one prompt, `--mode rpc` for conversations. */
import { BIN_DIRS } from '../argument.js';
import type { Command, CommandRequest, EndingLadder, Program } from '../command.js';
import { gateSource } from './gate.js';

export const outputFlags: readonly string[] = ['--mode', 'json'];

export const program: Program = {
  names: ['pi'],
  install: 'npm install -g @mariozechner/pi-coding-agent',
  searchDirs: BIN_DIRS,
  versionArgs: ['--version'],
  dropEnv: ['PI_CODING_AGENT'],
  reservedFlags: [
    '--mode',
    '--print',
    '-p',
    '--continue',
    '-c',
    '--resume',
    '-r',
    '--session',
    '--fork',
    '--model',
    '--tools',
    '-t',
    '--export',
    '--list-models',
  ],
};

/** Only a conversation can be asked and talked to. */
export function isConversation({ mode, permission }: Partial<CommandRequest>): boolean {
  return mode === 'conversation' || permission === 'ask';
}

export function command(request: CommandRequest): Command {
  const extra = request.extraArgs ?? [];
  const talks = isConversation(request);
  const gate = talks && (request.permission === 'ask' || request.permission === 'accept-edits');
  const args = ['--mode', talks ? 'rpc' : 'json', ...options(request, gate), ...extra];
  const base = { program: 'pi', args, ending: talks ? conversationEnding : oneShotEnding };
  // By stdin a prompt can neither be a flag nor, with a leading `@`, a file.
  if (!talks) return { ...base, stdin: { kind: 'text', text: request.prompt ?? '' } };
  const free = [...LOOKING, ...(request.permission === 'accept-edits' ? EDITING : []), ...(request.allowedTools ?? [])];
  const files = gate ? [{ placeholder: GATE, name: 'glassbox-gate.js', text: gateSource(free) }] : undefined;
  return { ...base, stdin: { kind: 'lines' }, ...(files && { files }) };
}

const GATE = '{gate}';
const LOOKING = ['read', 'grep', 'find', 'ls'];
const EDITING = ['edit', 'write'];

/** Every flag with a value takes the next argument, whatever it is, so a value can be no flag; `--flag=value` is not understood. */
function options(request: CommandRequest, gate: boolean): string[] {
  const { model, systemPrompt, resume, fork } = request;
  return [
    ...pair('--model', model),
    ...pair('--append-system-prompt', systemPrompt),
    ...(resume === 'latest' && !fork ? ['--continue'] : pair(fork ? '--fork' : '--session', resume)),
    ...(gate ? ['--extension', GATE] : pair('--tools', toolsOf(request)?.join(','))),
  ];
}

/** Without anybody to ask, only the tools that may be used exist; absent means all. */
function toolsOf({ permission, allowedTools }: CommandRequest): readonly string[] | undefined {
  if (permission === 'bypass') return allowedTools;
  return [...LOOKING, ...(permission === 'accept-edits' ? EDITING : []), ...(allowedTools ?? [])];
}

function pair(flag: string, value: string | undefined): string[] {
  return value === undefined ? [] : [flag, value];
}

/** SIGTERM ends the commands that pi runs; SIGINT leaves them alive. */
const oneShotEnding: EndingLadder = [{ do: 'signal', signal: 'SIGTERM', waitMs: 3000 }];

const conversationEnding: EndingLadder = [
  { do: 'interrupt', waitMs: 1500 },
  { do: 'close-stdin', waitMs: 1500 },
  { do: 'signal', signal: 'SIGTERM', waitMs: 1500 },
];
