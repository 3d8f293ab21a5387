/** What happened to a session in the agent's own program: read from what that program wrote about it, into the same session of the store. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { type Conversation, importConversations } from '../../archive/index.js';
import { agentNamed } from '../../decode/index.js';
import type { AgentEvent } from '../../event/index.js';
import { openForeign } from '../../store/foreign.js';
import type { SessionRecord, Store } from '../../store/index.js';
import { findHistory } from '../kept/history.js';

export interface ReadBack {
  /** As it is now. */
  session: SessionRecord;
  /** What is new in it, in its order; empty when nothing was said there. */
  events: AgentEvent[];
}

/** `since`: when the program got it. An agent whose conversations cannot be read tells nothing. Rejects only when the store fails. */
export async function readBack(
  store: Store,
  session: SessionRecord,
  { env, since }: { env: NodeJS.ProcessEnv; since: number },
): Promise<ReadBack> {
  const agent = agentNamed(session.agent);
  if (agent?.transcripts) {
    const { conversations } = await findHistory([agent], { env, home: homedir() });
    // Where files have other names than the stream, those that changed are looked through for what was said.
    const hasOtherIds = agent.transcripts.hasOtherIds === true;
    const isIt = (one: Conversation) =>
      one.sessionId === session.agentSessionId || (hasOtherIds && hasChanged(one, since));
    const only = new Set(conversations.filter(isIt));
    await importConversations({ store, conversations, only, openDatabase: openForeign });
  }
  const now = (await store.session(session.id)) ?? session;
  const events: AgentEvent[] = [];
  for (const { runId, updatedAt } of now.runs) {
    if (updatedAt < since) continue;
    for await (const event of store.read(runId)) if (event.at >= since) events.push(event);
  }
  return { session: now, events };
}

function hasChanged({ files }: Conversation, since: number): boolean {
  return files.some(({ path }) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since);
}
