/**
 * Of a line of a transcript what tells money and time, cut out of its bytes where the program writes it (1.0 to 2.1), because reading all of
 * it takes many times as long. A line that is written otherwise is read whole.
 */
import { type Json, object, string } from '../field.js';
import { LineShapes, type ShapeRules, sameAt, textAt } from '../line-shape.js';
import { endOfValue, isAt, RawFields, timeAt } from '../raw-fields.js';
import type { TranscriptLine } from '../transcript.js';
import { type CallHead, callHeadIn, callIn, learnCall, Same, saidAt } from './transcript-call.js';

/** `isBegun`: the time of a line before is known; `hasPrompt`: and what the session is about, so that of a prompt only its place is wanted. */
export function excerptOf(line: TranscriptLine, isBegun: boolean, hasPrompt: boolean): Json | undefined {
  const { bytes, from } = line;
  if (isAt(bytes, from, TYPE)) return plainOf(line, isBegun);
  if (!isBegun) return beginOf(line);
  return linkedOf(line, hasPrompt);
}

/** Lines that begin with their type: the program's own notes. */
function plainOf(line: TranscriptLine, isBegun: boolean): Json | undefined {
  const { bytes, from } = line;
  const letter = from + TYPE.length;
  switch (bytes[letter]) {
    case 99:
      if (isAt(bytes, letter, 'cost-state"')) return sumOf(line) ?? wholeOf(line);
      if (isAt(bytes, letter, 'custom-title"')) return wholeOf(line);
      break;
    case 97:
      if (isAt(bytes, letter, 'ai-title"') || isAt(bytes, letter, 'assistant"')) return wholeOf(line);
      break;
    case 115:
      if (isAt(bytes, letter, 'system"')) return wholeOf(line);
      break;
    case 117:
      if (isAt(bytes, letter, 'user"')) return wholeOf(line);
      break;
    default:
  }
  return isBegun ? undefined : timeOf(line);
}

const TYPE = '{"type":"';

/** What the program itself noted. */
function sumOf(line: TranscriptLine): Json | undefined {
  const { bytes, from, to } = line;
  if (!isAt(bytes, to - KNOWN_COST.length, KNOWN_COST)) return undefined;
  fields.begin(bytes, from, to);
  while (fields.next() && fields.skip()) {
    if (!fields.isKey('totalCostUSD')) continue;
    const totalCostUSD = Number(line.text(fields.valueFrom, fields.valueTo));
    return { type: 'cost-state', totalCostUSD, hasUnknownModelCost: false };
  }
  return undefined;
}

const KNOWN_COST = ',"hasUnknownModelCost":false}';

/** The first line of a file tells when it was begun. */
function beginOf(line: TranscriptLine): Json | undefined {
  const value = wholeOf(line);
  if (value?.type === 'user' || value?.type === 'assistant' || value?.subtype === 'compact_boundary') return value;
  return value && withTime(value);
}

function timeOf(line: TranscriptLine): Json | undefined {
  const value = wholeOf(line);
  return value && withTime(value);
}

function withTime({ timestamp }: Json): Json | undefined {
  return string(timestamp) === undefined ? undefined : { type: 'begin', timestamp };
}

function wholeOf(line: TranscriptLine): Json | undefined {
  const value = object(line.whole());
  if (!value || string(value.type) === undefined) return undefined;
  // A number would be one of ours.
  return typeof value.timestamp === 'number' ? { ...value, timestamp: undefined } : value;
}

const fields = new RawFields();

/** What a line is, as far as it stands before its words. */
type Head =
  | { kind: 'attachment' | 'system' }
  | { kind: 'said'; isSidechain: boolean }
  | ({ kind: 'call'; isSidechain: boolean } & CallHead);

const heads = new LineShapes<Head>(
  {
    within: [],
    ends: new Set(['attachment', 'subtype', 'message.content']),
    fixed: new Set(['type']),
    // Behind `{"parentUuid":"…","isSidechain":false,"`.
    telling: [74, 78],
  },
  (paths, end) => {
    const type = paths.has('type') ? (sameAt(paths, 'type') ?? '') : undefined;
    const isSidechain = sameAt(paths, 'isSidechain') === 'true';
    if (end === 'attachment') return type === undefined || type === '"attachment"' ? { kind: 'attachment' } : undefined;
    if (end === 'subtype') return type === '"system"' ? { kind: 'system' } : undefined;
    if (end !== 'message.content') return undefined;
    if (type === '"user"') return { kind: 'said', isSidechain };
    const call = type === undefined ? callHeadIn(paths) : undefined;
    return call && { kind: 'call', isSidechain, ...call };
  },
);

/** Lines of the conversation, each linked to the one before. Those that are nobody's words tell nothing of money. */
function linkedOf(line: TranscriptLine, hasPrompt: boolean): Json | undefined {
  const { bytes, from, to } = line;
  const head = heads.find(bytes, from, to);
  if (!head) return learned(line);
  const { at } = heads;
  switch (head.kind) {
    // Words that waited until the agent had time for them.
    case 'attachment':
      return isAt(bytes, at, '{"type":"queued_command"') ? wholeOf(line) : undefined;
    case 'system':
      return isAt(bytes, at, '"compact_boundary"') ? wholeOf(line) : undefined;
    case 'said':
      return userIn(line, head.isSidechain, at, hasPrompt) ?? learned(line);
    case 'call': {
      const id = line.text(heads.begin(head.id), heads.behind(head.id));
      const model = models.in(line, heads, head.model);
      const version = head.version === undefined ? undefined : versions.in(line, heads, head.version);
      const said = saidAt(line, at);
      return (
        (said.end > 0 ? callIn(line, said, { id, model, version, isSidechain: head.isSidechain }) : undefined) ??
        learned(line)
      );
    }
    default:
      return head satisfies never;
  }
}

const models = new Same();
const versions = new Same();

/** The line is read, and the next one that is like it is not. */
function learned(line: TranscriptLine): Json | undefined {
  const { bytes, from, to } = line;
  const value = wholeOf(line);
  const head = value && (heads.find(bytes, from, to) ?? heads.learn(bytes, from, to));
  if (head?.kind === 'call') learnCall(line, saidAt(line, heads.at));
  else if (head?.kind === 'said') learnTail(line, endOfValue(bytes, heads.at, to));
  return value;
}

/** What stands behind the words of a user or the result of a tool. */
interface Tail {
  uuid: number;
  timestamp: number;
  isMeta: boolean;
  isCompactSummary: boolean;
}

const TAIL_ENDS: ReadonlySet<string> = new Set(['toolUseResult']);
const HEAD_PATHS = ['type', 'isSidechain', 'message', 'message.content', 'attachment'];

// Whether it says at once what it is, and what comes behind `},"uuid":"…","timestamp":"…",`.
const tailRules: ShapeRules = { within: ['message'], ends: TAIL_ENDS, fixed: new Set(), telling: [3, 88] };
const tails = new LineShapes<Tail>(tailRules, (paths) => {
  const uuid = textAt(paths, 'uuid');
  const timestamp = textAt(paths, 'timestamp');
  const isTold = HEAD_PATHS.some((path) => paths.has(path));
  if (uuid === undefined || timestamp === undefined || isTold) return undefined;
  const is = (path: string) => sameAt(paths, path) === 'true';
  return { uuid, timestamp, isMeta: is('isMeta'), isCompactSummary: is('isCompactSummary') };
});

function learnTail({ bytes, to }: TranscriptLine, at: number): void {
  if (at > 0 && !tails.find(bytes, at, to)) tails.learn(bytes, at, to);
}

/** What somebody said, only as far as is needed to know whether it begins a turn; or that a tool gave something back. */
function userIn(line: TranscriptLine, isSidechain: boolean, content: number, hasPrompt: boolean): Json | undefined {
  const { bytes, to } = line;
  const isText = bytes[content] === QUOTE;
  if (isText ? !hasPrompt || !isPlainAt(bytes, content + 1) : !isResult(line, content + 1)) return undefined;
  const end = endOfValue(bytes, content, to);
  const tail = end > 0 ? tails.find(bytes, end, to) : undefined;
  if (!tail) return undefined;
  const timestamp = timeAt(bytes, tails.begin(tail.timestamp) - 1, tails.behind(tail.timestamp) + 1);
  if (timestamp === undefined) return undefined;
  const uuid = line.text(tails.begin(tail.uuid), tails.behind(tail.uuid));
  // What is known of a result stands behind, and is long.
  if (!isText) return { type: 'result', isSidechain, uuid, timestamp };
  if (tails.at !== to) return undefined;
  const message = { content: line.text(content + 1, content + 1 + MOST_LETTERS) };
  return {
    type: 'user',
    isSidechain,
    message,
    uuid,
    timestamp,
    isMeta: tail.isMeta,
    isCompactSummary: tail.isCompactSummary,
  };
}

/** What begins with a blank is looked at behind it. */
function isPlainAt(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at] ?? BACKSLASH;
  return first > BLANK && first !== BACKSLASH;
}

const BLANK = 32;
const QUOTE = 34;
const BACKSLASH = 92;
/** As much of a prompt as tells whether it is one. */
const MOST_LETTERS = 40;

/** Whether the first block is what a tool gave back. */
function isResult({ bytes, to }: TranscriptLine, at: number): boolean {
  fields.begin(bytes, at, to);
  while (fields.next()) {
    if (fields.isKey('type')) return fields.begins('"tool_result"');
    if (!fields.isText || !fields.skip()) return false;
  }
  return false;
}
