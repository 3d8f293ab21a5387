/** How a conversation on disk stands at its end, without secrets: whether a turn is open, since when, and which calls have no result. */
import { lstat } from 'node:fs/promises';
import type { Asked, Moment } from '../agent/transcript.js';
import { type Conversation, type OpenDatabase, openOwn, readMoments } from '../archive/index.js';
import type { DraftOf } from '../event/index.js';
import { redactText } from '../guard/index.js';
import { createLineDecoder } from '../jsonl/index.js';

export interface TranscriptEnd {
  path: string;
  cwd?: string;
  title?: string;
  /** Absent when what was read does not tell. */
  turn?: 'open' | 'over';
  /** When the last thing in it happened. */
  at?: number;
  calls: OpenCall[];
  /** What it asks, where that stands in the conversation. */
  asks?: Asked;
}

/** A call without a result. */
export interface OpenCall {
  name: string;
  kind: DraftOf<'tool-start'>['kind'];
  summary: string;
  at: number;
}

/** A turn is seldom longer than this; of one that is, nothing is said. */
const TAIL_BYTES = 512 * 1024;
/** Who and where stands in the first lines. */
const HEAD_BYTES = 64 * 1024;

/** Undefined when it cannot be read. */
export async function readTranscriptEnd(
  conversation: Conversation,
  openDatabase?: OpenDatabase,
): Promise<TranscriptEnd | undefined> {
  const [file] = conversation.files;
  const reader = conversation.agent.transcripts?.createReader();
  if (!file || !reader) return undefined;
  try {
    if (file.form !== undefined || conversation.files.length > 1) {
      const { moments, asks } = await readMoments(conversation, openDatabase);
      return summed(file.path, [], moments, asks);
    }
    const told = (await readEnds(file.path)).flatMap((value) => reader.receive(value));
    const { moments, asks } = reader.end();
    return summed(file.path, told, moments, asks);
  } catch {
    return undefined;
  }
}

/**
 * What the reader adds at the end closes what is open, so that only what it knows for sure counts as over. What somebody said opens a turn,
 * also where the program writes nothing more before the first answer.
 */
function summed(path: string, told: readonly Moment[], closing: readonly Moment[], asks?: Asked): TranscriptEnd {
  const end: TranscriptEnd = { path, calls: [], ...(asks && { asks: { ...asks, text: redactText(asks.text) } }) };
  const calls = new Map<string, OpenCall>();
  for (const { at, draft } of [...told, ...closing]) {
    end.at = Math.max(end.at ?? 0, at);
    if (draft.type === 'session-start' || draft.type === 'session-update') {
      if (draft.cwd !== undefined) end.cwd = draft.cwd;
      if (draft.title !== undefined) end.title = redactText(draft.title);
    } else if (draft.type === 'turn-start' || draft.type === 'user-message') end.turn = 'open';
    else if (draft.type === 'turn-end') end.turn = draft.outcome === 'unknown' ? 'open' : 'over';
    else if (draft.type === 'tool-start') calls.set(draft.id, { name: draft.name, kind: draft.kind, summary: '', at });
    else if (draft.type === 'tool-input-end') {
      const call = calls.get(draft.id);
      if (call) call.summary = redactText(draft.summary);
    } else if (draft.type === 'tool-end' && !isClosing(draft)) calls.delete(draft.id);
  }
  if (end.turn === 'open') end.calls = [...calls.values()];
  return end;
}

/** No result was told: the end is the reader's own. */
function isClosing({ status }: DraftOf<'tool-end'>): boolean {
  return status === 'unknown';
}

async function readEnds(path: string): Promise<unknown[]> {
  const file = await openOwn(path);
  try {
    const { size } = await lstat(path);
    if (size <= HEAD_BYTES + TAIL_BYTES) return valuesIn(await piece(0, size));
    const head = await piece(0, HEAD_BYTES);
    const tail = await piece(size - TAIL_BYTES, TAIL_BYTES);
    // Both are cut somewhere: half a line is none.
    return [...valuesIn(head.subarray(0, head.lastIndexOf(10))), ...valuesIn(tail.subarray(tail.indexOf(10) + 1))];
  } finally {
    await file.close();
  }

  async function piece(from: number, bytes: number): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, from);
    return buffer.subarray(0, bytesRead);
  }
}

function valuesIn(bytes: Buffer): unknown[] {
  const lines = createLineDecoder();
  return [...lines.push(bytes), ...lines.end()].flatMap((item) => (item.kind === 'value' ? [item.value] : []));
}
