/** A real agent as a script starts it: what glassbox would start, without glassbox. */
import { type ChildProcess, spawn } from 'node:child_process';
import { requireAgent } from '../../src/decode/index.js';
import type { Peer } from './peer.js';
import type { Stage } from './stage.js';

export function startHeadless(peer: Peer, stage: Stage, prompt: string): ChildProcess {
  const request = { mode: 'one-shot', permission: 'bypass', cwd: stage.sandbox.cwd, deltas: false, prompt } as const;
  const { args, stdin } = requireAgent(peer.agent).command({ ...request, model: peer.request?.model });
  const child = startProgram(stage, args);
  child.stdin?.end(stdin.kind === 'text' ? stdin.text : '');
  return child;
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
