/** What the agents that glassbox knows can do on this machine. */
import { AGENTS } from '../../../agent/index.js';
import type { AgentInfo } from '../../../client/index.js';
import { type Settings, thisMachine } from '../../../run/index.js';
import { describeAgent } from '../../../run/process/describe-agent.js';

export function agentsHere(
  settings: Settings,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<AgentInfo[]> {
  return Promise.all(
    AGENTS.map((agent) => describeAgent(agent, settings.agents?.[agent.name]?.program, thisMachine(env, cwd))),
  );
}
