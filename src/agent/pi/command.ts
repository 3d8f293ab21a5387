/** From a request to pi's argument vector: `--mode json` for one prompt, `--mode rpc` for conversations. */
import { BIN_DIRS } from '../argument.js';
import type { Command, CommandRequest, EndingLadder, Program } from '../command.js';
import { BY_WORD } from '../ending-ladder.js';
import { type Gate, gateSource } from './gate.js';
import { trace } from './trace.js';

export const outputFlags: readonly string[] = ['--mode', 'json'];

export const program: Program = {
  names: trace.programs,
  install: 'npm install -g @earendil-works/pi-coding-agent',
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

export const efforts: readonly string[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'];

/** Only a conversation can be asked and talked to. */
export function isConversation({ mode, permission }: Partial<CommandRequest>): boolean {
  return mode === 'conversation' || permission === 'ask';
}

export function command(request: CommandRequest): Command {
  const extra = request.extraArgs ?? [];
  const talks = isConversation(request);
  const gate = gateFor(request);
  const args = [
    '--mode',
    talks ? 'rpc' : 'json',
    ...options(request),
    ...(gate ? ['--extension', GATE] : []),
    ...extra,
  ];
  const files = gate && [{ placeholder: GATE, name: 'glassbox-gate.js', text: gateSource(gate) }];
  const ending = talks ? conversationEnding : oneShotEnding;
  const base = { program: 'pi', args, ending, ...(files && { files }) };
  // By stdin a prompt can neither be a flag nor, with a leading `@`, a file.
  if (!talks) return { ...base, stdin: { kind: 'text', text: request.prompt ?? '' } };
  return { ...base, stdin: { kind: 'lines' } };
}

/** The gate asks, where somebody can be asked, and refuses what is forbidden. */
function gateFor(request: CommandRequest): Gate | undefined {
  const { permission, disallowedTools: blocked = [] } = request;
  if (asksFirst(request)) return { free: allowed(request), blocked };
  return permission === 'bypass' && blocked.length > 0 ? { free: 'all', blocked } : undefined;
}

function asksFirst(request: CommandRequest): boolean {
  return isConversation(request) && (request.permission === 'ask' || request.permission === 'accept-edits');
}

function allowed({ permission, allowedTools = [], disallowedTools = [] }: CommandRequest): string[] {
  const tools = [...LOOKING, ...(permission === 'accept-edits' ? EDITING : []), ...allowedTools];
  return tools.filter((tool) => !disallowedTools.includes(tool));
}

/** Odd enough to stand in no prompt, because it is replaced wherever it stands. */
const GATE = '{glassbox:gate}';
const LOOKING = ['read', 'grep', 'find', 'ls'];
const EDITING = ['edit', 'write'];

/** Every flag with a value takes the next argument, whatever it is, so a value can be no flag; `--flag=value` is not understood. */
function options(request: CommandRequest): string[] {
  const { model, effort, systemPrompt, resume, fork, permission } = request;
  // Without anybody to ask, only the tools that may be used exist.
  const isLimited = permission !== 'bypass' && !asksFirst(request);
  return [
    ...pair('--model', model),
    ...pair('--thinking', effort),
    ...pair('--append-system-prompt', systemPrompt),
    ...(resume === 'latest' && !fork ? ['--continue'] : pair(fork ? '--fork' : '--session', resume)),
    ...pair('--tools', isLimited ? allowed(request).join(',') : undefined),
  ];
}

function pair(flag: string, value: string | undefined): string[] {
  return value === undefined ? [] : [flag, value];
}

/** SIGTERM ends the commands that pi runs; SIGINT leaves them alive. */
const oneShotEnding: EndingLadder = [{ do: 'signal', signal: 'SIGTERM', waitMs: 3000 }];

const conversationEnding = BY_WORD;
