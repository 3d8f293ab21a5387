/** Reads one conversation from its files into events, guarded and stamped as if it had just happened, with the times of then. */
import { createReadStream } from 'node:fs';
import type { Transcript } from '../agent/transcript.js';
import { createPipeline } from '../decode/index.js';
import type { AgentEvent } from '../event/index.js';
import { createLineDecoder } from '../jsonl/index.js';
import type { Conversation } from './find.js';

export interface ReadConversation {
  events: AgentEvent[];
  copiedFrom?: string;
}

/** The same conversation has the same run id wherever it is read. */
export function runIdOf({ agent, sessionId }: Conversation): string {
  return `${agent.name}-transcript-${sessionId}`;
}

/** `isKnown`: what happened at this time was kept by the run itself. */
export async function readConversation(
  conversation: Conversation,
  isKnown: (at: number) => boolean = () => false,
): Promise<ReadConversation> {
  const { drafts, copiedFrom } = await readTranscript(conversation);
  let now = 0;
  const pipeline = createPipeline({ agent: conversation.agent, runId: runIdOf(conversation), now: () => now });
  const events: AgentEvent[] = [];
  for (const { at, draft } of drafts) {
    if (isKnown(at)) continue;
    now = at;
    events.push(...pipeline.emit(draft));
  }
  return { events, ...(copiedFrom !== undefined && { copiedFrom }) };
}

async function readTranscript({ agent, files }: Conversation): Promise<Transcript> {
  const reader = agent.transcripts?.createReader();
  if (!reader) return { drafts: [] };
  for (const { path, part } of files) {
    const lines = createLineDecoder({ maxLineBytes: Number.POSITIVE_INFINITY });
    const receive = (items: ReturnType<typeof lines.end>) => {
      for (const item of items) if (item.kind === 'value') reader.receive(item.value, part);
    };
    for await (const bytes of createReadStream(path)) receive(lines.push(bytes));
    receive(lines.end());
  }
  return reader.end();
}
