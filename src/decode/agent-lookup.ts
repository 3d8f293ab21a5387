/** Finds an agent by its name, by the command that starts it, or by what it prints. */
import { AGENTS, type Agent } from '../agent/index.js';
import { GlassboxError } from '../event/index.js';

export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}

/** The agent itself, or the one with this name; for callers who cannot go on without. */
export function requireAgent(agent: string | Agent): Agent {
  if (typeof agent !== 'string') return agent;
  const found = agentNamed(agent);
  if (found) return found;
  const known = AGENTS.map(({ name }) => name).join(', ');
  throw new GlassboxError('unknown-agent', `No agent is called "${agent}". Use one of: ${known}.`);
}

/** The agent that a command starts: `/usr/local/bin/claude` and `C:\bin\Claude.EXE` are the same program. */
export function agentForCommand(command: string): Agent | undefined {
  const program = programName(command);
  return AGENTS.find((agent) => agent.program.names.includes(program));
}

/** Flags that make the command print a stream that glassbox reads; none for a program that it does not know. */
export function outputFlags(command: string): string[] {
  return [...(agentForCommand(command)?.outputFlags ?? [])];
}

/** Name of the agent that printed these first lines, given as text or parsed; undefined when no agent knows them. */
export function detectAgent(firstLines: readonly unknown[]): string | undefined {
  const values = firstLines.flatMap((line) => (typeof line === 'string' ? parse(line) : [line]));
  let best: { name: string; score: number } | undefined;
  for (const { name, detect } of AGENTS) {
    const score = detect(values);
    if (score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name;
}

/** What to do with what an agent's program can print too and nobody reads, by how it begins; undefined for everything else. */
export function adviceFor(head: string): string | undefined {
  for (const agent of AGENTS) {
    const advice = agent.otherOutput?.(head);
    if (advice !== undefined) return advice;
  }
  return undefined;
}

function programName(command: string): string {
  const name = command.split(/[/\\]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.exe$/, '');
}

function parse(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
