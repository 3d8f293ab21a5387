/** Reads the files of a conversation through its agent's reader. A line that cannot be read is told, and its neighbours are unharmed. */
import { closeSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Moment, Transcript, TranscriptReader } from '../agent/transcript.js';
import type { DraftOf } from '../event/index.js';
import { createLineDecoder, type ErrorItem, type Item, type LineDecoder } from '../jsonl/index.js';
import type { OpenDatabase } from './database.js';
import type { Conversation, ConversationFile } from './find.js';
import { openOwn, openOwnNow } from './own-file.js';
import { createWarm, MOST_WARM_BYTES } from './warm.js';

/** Longer than any line or document that was seen, and short enough for memory. */
const MAX_BYTES = 64 * 2 ** 20;

export async function readMoments(conversation: Conversation, openDatabase?: OpenDatabase): Promise<Transcript> {
  const { agent, files, sessionId, bytes } = conversation;
  const reader = agent.transcripts?.createReader();
  if (!reader) return { moments: [] };
  if (bytes <= MOST_WARM_BYTES) keepReader(reader);
  let moments: Moment[] = [];
  const broken: Broken[] = [];
  const hear = (items: readonly Item[], part: string | undefined): void => {
    for (const item of items) {
      if (item.kind === 'value') for (const moment of reader.receive(item.value, part)) moments.push(moment);
      // A last line without its end is being written.
      else if (!item.cut) broken.push({ item, behind: moments.length });
    }
  };
  // What stands beside the conversation tells about all of it, so it is read first.
  for (const file of files.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (file.form === 'database') moments = moments.concat(await readRows(conversation, file, reader, openDatabase));
    else if (file.form === 'document') hear(await readDocument(file), file.part);
    else await readLines(file, (items) => hear(items, file.part));
  }
  const { moments: rest, ...origin } = reader.end();
  // Not by spreading: a long conversation has more of them than a call can have arguments.
  return { moments: withBroken(moments.concat(rest), broken, sessionId), ...origin };
}

const keepReader = createWarm<TranscriptReader>();
const keepLines = createWarm<LineDecoder>();

interface Broken {
  item: ErrorItem;
  /** So many moments had been told before it. */
  behind: number;
}

/** Each where it stood, in one pass: a file may be nothing but broken lines. */
function withBroken(moments: readonly Moment[], broken: readonly Broken[], sessionId: string): Moment[] {
  const told: Moment[] = [];
  let next = 0;
  for (const [index, moment] of moments.entries()) {
    told.push(moment);
    for (let one = broken[next]; one && one.behind <= index + 1; one = broken[next]) {
      const { kind: _, ...facts } = one.item;
      const near = moments[one.behind - 1] ?? moment;
      const draft: DraftOf<'decode-error'> = { type: 'decode-error', ...facts, turn: near.draft.turn ?? 0 };
      told.push({ at: near.at, draft: { ...draft, sessionId, source: 'transcript' } });
      next += 1;
    }
  }
  return told;
}

const rankOf = ({ part }: ConversationFile): number => (part === undefined ? 1 : 0);

/** Shared by all files: what is read into it is looked at before anybody else reads. */
const piece = Buffer.allocUnsafeSlow(2 ** 17);
/** Read before others get their turn, of one file or of many. */
const AT_ONCE_BYTES = 2 ** 20;
/** What a file counts for however small it is. */
const FILE_BYTES = 2 ** 14;
let readInTurn = 0;

/** Without waiting: there are thousands of files, and to wait for each costs more than to read it. */
async function readLines({ path }: ConversationFile, hear: (items: readonly Item[]) => void): Promise<void> {
  const lines = keepLines(createLineDecoder({ maxLineBytes: MAX_BYTES }));
  const file = openOwnNow(path);
  try {
    readInTurn += FILE_BYTES;
    for (let count = readSync(file, piece); count > 0; count = readSync(file, piece)) {
      hear(lines.push(piece.subarray(0, count)));
      readInTurn += count;
      if (readInTurn < AT_ONCE_BYTES) continue;
      readInTurn = 0;
      await setImmediate();
    }
  } finally {
    closeSync(file);
  }
  hear(lines.end());
}

async function readDocument({ path }: ConversationFile): Promise<Item[]> {
  const file = await openOwn(path);
  try {
    const { size: bytes } = await file.stat();
    if (bytes > MAX_BYTES) return [{ kind: 'error', code: 'line_too_long', line: 1, bytes }];
    const text = await file.readFile('utf8');
    try {
      return [{ kind: 'value', value: JSON.parse(text), line: 1, bytes }];
    } catch {
      return [{ kind: 'error', code: 'json_parse', line: 1, bytes }];
    }
  } finally {
    await file.close();
  }
}

async function readRows(
  { agent, sessionId }: Conversation,
  { path }: ConversationFile,
  reader: TranscriptReader,
  openDatabase: OpenDatabase | undefined,
): Promise<Moment[]> {
  const parts = Object.entries(agent.transcripts?.database?.rows ?? {});
  const database = await openDatabase?.(path);
  if (!database) return [];
  try {
    return parts.flatMap(([part, sql]) => database.rows(sql, sessionId).flatMap((row) => reader.receive(row, part)));
  } finally {
    database.close();
  }
}
