/** The history that agents left on this machine: what there is of it, and where it was looked for. */
import { AGENTS, type Agent } from '../../agent/index.js';
import { type Conversation, findConversations, transcriptFolders, type Unreadable } from '../../archive/index.js';
import { GlassboxError } from '../../event/index.js';
import { openForeign } from '../../store/foreign.js';
import { projectName } from '../print/session-cell.js';

interface History {
  conversations: Conversation[];
  /** Folders and databases that cannot be read. */
  unreadable: Unreadable[];
  /** Where it was looked for, for people. */
  looked: string[];
}

interface Surroundings {
  env: NodeJS.ProcessEnv;
  home: string;
}

/** `folder`: instead of the usual places. */
export async function findHistory(
  agents: readonly Agent[],
  surroundings: Surroundings,
  folder?: string,
): Promise<History> {
  const places = agents.flatMap((agent) =>
    transcriptFolders(agent, surroundings, folder).map((place) => ({ agent, place })),
  );
  const unreadable: Unreadable[] = [];
  const found = await Promise.all(
    places.map(({ agent, place }) =>
      findConversations(agent, place, openForeign, (database) => unreadable.push(database)),
    ),
  );
  const looked = [...new Set(places.map(({ place }) => projectName(place, surroundings.home)))];
  return { conversations: found.flat(), unreadable, looked };
}

/** All agents whose history can be read, or the one that is named. */
export function historyAgents(name?: string): Agent[] {
  const able = AGENTS.filter((agent) => agent.transcripts && (name === undefined || agent.name === name));
  if (able.length > 0) return able;
  if (!AGENTS.some((agent) => agent.name === name)) {
    throw new GlassboxError('unknown-agent', `There is no agent named ${name}. See glassbox doctor.`);
  }
  throw new GlassboxError('unsupported-capability', `The history of ${name} cannot be read yet.`);
}
