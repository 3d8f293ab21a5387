/** An agent as people choose it: what it can do, and whether its program is here. */
import type { Agent } from '../../agent/agent.js';
import { howToGet } from '../../agent/command.js';
import { findProgram, type Machine } from './find-program.js';

/** `chosen` is the program that the user configured for it, if any. */
export async function describeAgent(
  { name, title, program, capabilities }: Agent,
  chosen: string | undefined,
  machine: Machine,
) {
  const { found } = await findProgram(program, chosen, machine);
  return { name, title, installed: found, install: howToGet(program), capabilities: { ...capabilities } };
}
