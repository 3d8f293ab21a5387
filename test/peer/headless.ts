/** A real agent as a script starts it: what glassbox would start, without glassbox. */
import { type ChildProcess, spawn } from 'node:child_process';
import { requireAgent } from '../../src/decode/index.js';
import type { Peer } from './peer.js';
import type { Stage } from './stage.js';

export function startHeadless(peer: Peer, stage: Stage, prompt: string): ChildProcess {
  const { args, input } = headlessCommand(peer, stage, { prompt });
  const child = startProgram(stage, args);
  child.stdin?.end(input);
  return child;
}

interface Asked {
  prompt: string;
  resume?: string | undefined;
  fork?: boolean | undefined;
}

export function headlessCommand(peer: Peer, { sandbox }: Pick<Stage, 'sandbox'>, { prompt, resume, fork }: Asked) {
  const { command, outputFlags } = requireAgent(peer.agent);
  const asked = { mode: 'one-shot', permission: 'bypass', cwd: sandbox.cwd, deltas: false } as const;
  const { args, stdin, env } = command({ ...asked, prompt, resume, fork, model: peer.request?.model });
  return {
    // One that glassbox only talks to prints for others.
    args: stdin.kind === 'lines' ? ['-p', prompt, ...outputFlags] : args,
    input: stdin.kind === 'text' ? stdin.text : '',
    env,
  };
}

/** Its program with these arguments and nobody who reads what it prints. */
export function startProgram({ program, sandbox, env }: Stage, args: readonly string[]): ChildProcess {
  const [file = '', ...before] = /\.m?js$/.test(program) ? [process.execPath, program] : [program];
  return spawn(file, [...before, ...args], {
    cwd: sandbox.cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}
