/** What a conversation has grown by since the last look, through its agent's reader, whether it is in files or in a database. */
import type { Moment, Origin, TranscriptReader } from '../../agent/transcript.js';
import type { DraftOf } from '../../event/index.js';
import type { ErrorItem, Item } from '../../jsonl/index.js';
import type { OpenDatabase } from '../database.js';
import type { Conversation, ConversationFile } from '../find.js';
import { createGrownFile, type GrownFile, readGrowth } from './grown-file.js';

export interface Source {
  /** Pieces of what is new. Ends with `again` when what was told is not what is there any more: then a new source has to begin. */
  read(conversation: Conversation): AsyncGenerator<Moment[], 'again' | 'same', undefined>;
  /** Nothing came for a while. */
  settle(): Moment[];
  /** Nothing more will be read. */
  end(): Moment[];
  origin(): Origin;
  /** What was told in pieces may not be what is told of it at once: several files grew, or a turn went on that was taken for over. */
  readonly isDoubtful: boolean;
}

/** What is larger is told while it is read, because memory holds little; what is smaller is put in order first. */
export const ORDERED_BYTES = 32 * 2 ** 20;

export function createSource(first: Conversation, openDatabase: OpenDatabase | undefined): Source | undefined {
  const { agent, sessionId } = first;
  const reader = agent.transcripts?.createReader();
  if (!reader) return undefined;
  const files = new Map<string, GrownFile>();
  const rows = createRows(first, reader, openDatabase);
  let isKeepingUp = false;
  let last: Moment | undefined;
  let looks = 0;
  let isSettled = false;
  let isDoubtful = false;

  const told = (moments: Moment[]): Moment[] => {
    const word = isSettled ? moments.find(({ draft }) => WORDS.test(draft.type)) : undefined;
    if (word) {
      isSettled = false;
      isDoubtful ||= word.draft.type !== 'user-message';
    }
    last = moments.at(-1) ?? last;
    return moments;
  };
  const keepUp = (): Moment[] => {
    if (isKeepingUp) return [];
    isKeepingUp = true;
    return told(reader.keepUp?.() ?? []);
  };
  const hear = (items: readonly Item[], part: string | undefined): Moment[] =>
    items.flatMap((item) => {
      if (item.kind === 'value') return told(reader.receive(item.value, part));
      return item.cut || !last ? [] : [brokenLine(item, last)];
    });

  function brokenLine({ kind: _, ...facts }: ErrorItem, { at, draft: { turn } }: Moment): Moment {
    const draft: DraftOf<'decode-error'> = { type: 'decode-error', ...facts, turn };
    return { at, draft: { ...draft, sessionId, source: 'transcript' } };
  }

  return {
    get isDoubtful() {
      return isDoubtful;
    },
    async *read(conversation) {
      looks += 1;
      isDoubtful ||= looks > 1 && conversation.files.length > 1;
      if (conversation.bytes > ORDERED_BYTES) yield keepUp();
      for (const file of conversation.files.toSorted((a, b) => rankOf(a) - rankOf(b))) {
        if (file.form === 'database') {
          const moments = await rows.read(file.path);
          if (moments === 'again') return 'again';
          yield told(moments);
          continue;
        }
        // What tells about all of it came late.
        if (last && rankOf(file) === 0 && !files.has(file.path)) return 'again';
        const known = files.get(file.path) ?? createGrownFile(file);
        files.set(file.path, known);
        const growth = readGrowth(known);
        try {
          for (;;) {
            const piece = await growth.next();
            if (!piece.done) yield hear(piece.value, file.part);
            else if (piece.value === 'again') return 'again';
            else break;
          }
        } finally {
          // Whoever stops in the middle leaves no file open.
          await growth.return('same');
        }
      }
      yield keepUp();
      return 'same';
    },
    settle() {
      const moments = told(reader.settle?.() ?? []);
      isSettled ||= moments.length > 0;
      return moments;
    },
    end: () => [
      ...[...files.values()].flatMap(({ lines, part, form }) => (form === undefined ? hear(lines.end(), part) : [])),
      ...rows.end(),
      ...reader.end().moments,
    ],
    origin: () => reader.origin?.() ?? {},
  };
}

/** What somebody says or does; a new turn begins with what a person says. */
const WORDS = /^(user-message|message|text|thinking|tool)/;

/** What stands beside the conversation tells about all of it, so it is read first. */
const rankOf = ({ part }: ConversationFile): number => (part === undefined ? 1 : 0);

/** Rows are received once, in their order; those that will still change wait, and with them what is behind them. */
function createRows({ agent, sessionId }: Conversation, reader: TranscriptReader, open: OpenDatabase | undefined) {
  const { rows, isOpen } = agent.transcripts?.database ?? {};
  const taken = new Map<string, { count: number; last: unknown }>();
  /** Those that wait, as they were last. */
  let waiting: { row: unknown; part: string }[] = [];

  return {
    /** Nobody will say more of those that wait. */
    end: (): Moment[] => waiting.flatMap(({ row, part }) => reader.receive(row, part)),
    async read(path: string): Promise<Moment[] | 'again'> {
      const database = await open?.(path).catch(() => undefined);
      if (!database) return [];
      const moments: Moment[] = [];
      waiting = [];
      try {
        for (const [part, sql] of Object.entries(rows ?? {})) {
          const { count, last } = taken.get(part) ?? { count: 0, last: undefined };
          // From the last one on, which shows whether those before it are still the same.
          const from = Math.max(0, count - 1);
          const found = database.rows(`select * from (${sql}) limit -1 offset ${from}`, sessionId);
          const settled = found.slice(0, firstOpen(found, part));
          if (count > 0 && keyOf(found[0]) !== last) return 'again';
          waiting.push(...found.slice(settled.length).map((row) => ({ row, part })));
          for (const row of settled) moments.push(...reader.receive(row, part));
          if (settled.length > 0) taken.set(part, { count: from + settled.length, last: keyOf(settled.at(-1)) });
        }
        return moments;
      } catch {
        // It is being written, or of a release with other tables: the next look shows.
        return moments;
      } finally {
        database.close();
      }
    },
  };

  function firstOpen(found: readonly Readonly<Record<string, unknown>>[], part: string): number {
    const at = part === 'session' ? -1 : found.findIndex((row) => isOpen?.(row));
    return at < 0 ? found.length : at;
  }
}

const keyOf = (row: Readonly<Record<string, unknown>> | undefined): string => JSON.stringify([row?.messageID, row?.id]);
