/** Reads one conversation from its files into events, guarded and stamped as if it had just happened, with the times of then. */
import type { Agent } from '../agent/agent.js';
import type { Moment } from '../agent/transcript.js';
import { createGuardedStamper } from '../decode/index.js';
import { type AgentEvent, type Draft, defined } from '../event/index.js';
import type { OpenDatabase } from './database.js';
import type { Conversation } from './find.js';
import { readMoments } from './moment.js';
import { createWarm } from './warm.js';

export interface ReadConversation {
  events: AgentEvent[];
  forkOf?: string;
  copiedFrom?: string;
}

/** The same conversation has the same run id wherever it is read. */
export function runIdOf({ agent, sessionId }: { agent: Pick<Agent, 'name'>; sessionId: string }): string {
  return `${agent.name}-transcript-${sessionId}`;
}

/** Whether a run of this id was read from disk. */
export function isTranscript(runId: string): boolean {
  return runId.includes('-transcript-');
}

export async function readConversation(
  conversation: Conversation,
  openDatabase?: OpenDatabase,
): Promise<ReadConversation> {
  const { moments, ...origin } = await readMoments(conversation, openDatabase);
  return { events: eventsIn(conversation, moments), ...origin };
}

export function eventsIn(conversation: Conversation, moments: readonly Moment[]): AgentEvent[] {
  const emit = createEmitter(conversation);
  const events: AgentEvent[] = [];
  for (const moment of moments) for (const event of emit(moment)) events.push(event);
  return events;
}

/**
 * Events of moments one after the other, guarded and stamped, with the times of then. All are of one conversation, also before the agent says so.
 * A moment is told once: its draft becomes the event, because copies of a history are what most of its reading would cost.
 */
export function createEmitter(conversation: Conversation): (moment: Moment) => AgentEvent[] {
  const { agent, sessionId } = conversation;
  let now = 0;
  const stamp = keepStamper(createGuardedStamper(agent.name, { runId: runIdOf(conversation), now: () => now }));
  return ({ at, draft: told }) => {
    now = at;
    const draft = defined<Draft>(told);
    draft.sessionId = sessionId;
    return stamp(draft);
  };
}

const keepStamper = createWarm<ReturnType<typeof createGuardedStamper>>();
