/** Reads what a conversation spent, and nothing else of it: its lines are shown to the agent's reader of figures without being read first. */
import { closeSync, readSync } from 'node:fs';
import type { TranscriptLine } from '../agent/transcript.js';
import type { Conversation } from './find.js';
import { openOwnNow } from './own-file.js';
import { eventsIn, type ReadConversation } from './read.js';

const LINE_FEED = 10;
const CLOSING_BRACE = 125;
/** What is read fits into the cache of a core, where it is looked at next: a MB at once took half as much again of the system's time. */
const FIRST_BYTES = 2 ** 17;
/** As long as a line may be that is read at all. */
const MAX_BYTES = 64 * 2 ** 20;

/** Whether its figures can be read without the rest. */
export function tellsFigures({ agent, files }: Conversation): boolean {
  return agent.transcripts?.figures !== undefined && files.every(({ form }) => form === undefined);
}

/** Throws when a file cannot be read. */
export function readFigures(conversation: Conversation): ReadConversation {
  const reader = conversation.agent.transcripts?.figures?.createReader();
  if (!reader) return { events: [] };
  const line = new Line();
  for (const { path, part } of conversation.files) eachLine(path, line, () => reader.receive(line, part));
  const { moments, ...origin } = reader.end();
  return { events: eventsIn(conversation, moments), ...origin };
}

/** Shared by all files, because one for each would have to be emptied first. */
let bytes = Buffer.alloc(0);

function eachLine(path: string, line: Line, receive: () => void): void {
  const file = openOwnNow(path);
  try {
    if (bytes.length === 0) bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    let held = 0;
    for (;;) {
      if (held === bytes.length) {
        if (bytes.length >= MAX_BYTES) held = 0;
        else bytes = Buffer.concat([bytes, Buffer.allocUnsafeSlow(bytes.length)]);
      }
      const count = readSync(file, bytes, held, bytes.length - held, null);
      const end = held + count;
      let from = 0;
      for (let to = indexOfEnd(held, end); to >= 0; to = indexOfEnd(from, end)) {
        if (to > from) show(from, to);
        from = to + 1;
      }
      if (count === 0) {
        // A last line without its end is being written.
        if (end > from && bytes[end - 1] === CLOSING_BRACE) show(from, end);
        return;
      }
      bytes.copyWithin(0, from, end);
      held = end - from;
    }
  } finally {
    closeSync(file);
  }

  function show(from: number, to: number): void {
    line.set(bytes, from, to);
    receive();
  }
}

function indexOfEnd(from: number, end: number): number {
  const at = bytes.indexOf(LINE_FEED, from);
  return at < end ? at : -1;
}

/** One for all lines: there are very many, and most are not looked at for long. */
class Line implements TranscriptLine {
  bytes = Buffer.alloc(0);
  from = 0;
  to = 0;

  set(all: Buffer<ArrayBuffer>, from: number, to: number): void {
    this.bytes = all;
    this.from = from;
    this.to = to;
  }

  text(from: number, to: number): string {
    return sliceOf.call(this.bytes, from, to);
  }

  whole(): unknown {
    try {
      return JSON.parse(this.bytes.toString('utf8', this.from, this.to));
    } catch {
      return undefined;
    }
  }
}

type Slice = (this: Buffer, from: number, to: number) => string;

/** What `toString` comes to, with half of the way; it is no part of Node's types. */
const sliceOf: Slice =
  (Buffer.prototype as { latin1Slice?: Slice }).latin1Slice ??
  function (this: Buffer, from, to) {
    return this.toString('latin1', from, to);
  };
