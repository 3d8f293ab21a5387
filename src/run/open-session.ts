/** A session handed over to the agent's own interactive program: the argument vector, checked, for no shell. */
import type { Agent } from '../agent/index.js';
import { requireAgent } from '../decode/index.js';
import { GlassboxError } from '../event/index.js';
import { quoteWord } from './process/command-line.js';
import { isId } from './request/request.js';

export interface HandOver {
  /** What people would type, quoted for a shell. */
  line: string;
  args: string[];
}

/** Throws when the agent has no such program, or its id could be taken for something else. */
export function handOver(agent: string | Agent, sessionId: string | undefined): HandOver {
  const { name, title, program, openArgs, capabilities } = requireAgent(agent);
  if (!openArgs) {
    const instead = capabilities.resume
      ? 'Resume the session with glassbox resume.'
      : 'Let another agent take it over with glassbox fork --agent.';
    throw new GlassboxError('unsupported-capability', `${title} cannot be opened by glassbox. ${instead}`);
  }
  if (sessionId === undefined) {
    throw new GlassboxError('unsupported-capability', 'The session ended before its agent said how to continue it.');
  }
  if (!isId(sessionId))
    throw new GlassboxError('invalid-request', 'The agent’s id of this session cannot be passed on.');
  const args = openArgs(sessionId);
  return { args, line: [program.names[0] ?? name, ...args].map(quoteWord).join(' ') };
}
