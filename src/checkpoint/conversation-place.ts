/**
 * Where the conversation of a session goes on after its files were taken back: kept with the rewind, heard by the next message to the
 * session, whoever says it, and over once somebody has gone on.
 */
import type { AgentEvent } from '../event/index.js';
import { FROM_START, requireAgent } from '../run/index.js';
import type { ConversationBack } from './checkpoint.js';
import { checkpointDirectory } from './directory.js';
import type { RewindWish } from './rewind-plan.js';
import { type RewindEntry, readEntries } from './rewind-record.js';
import type { TurnFiles } from './session-turns.js';

/** Of a run: `resume` and `resumeAt`. */
export interface ConversationPlace {
  resume: string;
  resumeAt?: string;
}

export interface FoundPlace extends ConversationBack {
  /** Absent where it cannot go back. */
  place?: ConversationPlace;
}

/** What has to be known of the session, and how the events of its runs are read. */
export interface Conversation {
  session: { agent: string; agentSessionId?: string };
  read(runId: string): AsyncIterable<AgentEvent>;
}

/** Where the conversation stands at a moment of the session, or why its agent cannot go back there. */
export async function findPlace(
  turns: readonly TurnFiles[],
  { turn: wanted, before = false }: RewindWish,
  { session: { agent, agentSessionId }, read }: Conversation,
): Promise<FoundPlace> {
  const turn = before && wanted > 0 ? wanted - 1 : wanted;
  const { title, capabilities } = requireAgent(agent);
  if (agentSessionId === undefined) return { turn, cannot: `${title} never told how to go on with it` };
  if (turn === 0) return { turn, place: { resume: agentSessionId, resumeAt: FROM_START } };
  const { sessionId: resume = agentSessionId, resumeAt } = (await endOf(turns, turn, read)) ?? {};
  if (turn === turns.length) return { turn, place: { resume } };
  if (!capabilities.resumeAt) return { turn, cannot: `${title} cannot go on from an earlier turn` };
  if (resumeAt === undefined) return { turn, cannot: `${title} did not name that turn` };
  return { turn, place: { resume, resumeAt } };
}

async function endOf(turns: readonly TurnFiles[], turn: number, read: Conversation['read']) {
  const runId = turns[turn - 1]?.runId;
  const first = turns.findIndex((one) => one.runId === runId);
  if (runId === undefined) return undefined;
  for await (const event of read(runId)) if (event.type === 'turn-end' && event.turn === turn - first) return event;
  return undefined;
}

/** Where the next message to a session is to go on; undefined where its conversation ends. */
export async function placeToGoOn(
  { id, runs }: { id: string; runs: readonly { startedAt: number }[] },
  dir: string = checkpointDirectory(),
): Promise<ConversationPlace | undefined> {
  const entries = (await readEntries(dir)).filter(({ session }) => session === id);
  const undone = new Set(entries.map(({ undoes }) => undoes));
  const isOpen = ({ at, id: entry, conversation }: RewindEntry) =>
    conversation !== undefined && !undone.has(entry) && runs.every(({ startedAt }) => startedAt < at);
  return entries.findLast(isOpen)?.conversation;
}
