/** One call of the model in a transcript: what it was charged for, without what was said. */
import type { Json } from '../field.js';
import { LineShapes, numberAt, type ShapePaths, type ShapeRules, sameAt, textAt } from '../line-shape.js';
import { digits, endOfValue, isAt, timeAt } from '../raw-fields.js';
import type { TranscriptLine } from '../transcript.js';

/** What stands before what was said: where it tells who speaks, as slots of the shape. */
export interface CallHead {
  id: number;
  model: number;
  version: number | undefined;
}

export function callHeadIn(paths: ShapePaths): CallHead | undefined {
  const id = textAt(paths, 'message.id');
  const model = textAt(paths, 'message.model');
  return id === undefined || model === undefined ? undefined : { id, model, version: textAt(paths, 'version') };
}

export interface Said {
  /** Behind it; -1 when it is written otherwise. */
  end: number;
  callsTool: boolean;
}

const said: Said = { end: 0, callsTool: false };

/** What was said, from its bracket on, block by block. One answer for all lines. */
export function saidAt({ bytes, to }: TranscriptLine, content: number): Said {
  said.callsTool = false;
  said.end = -1;
  let at = content;
  do {
    // A block that begins otherwise may say later what it is.
    if (!isAt(bytes, at, at === content ? FIRST : NEXT)) return said;
    said.callsTool ||= isAt(bytes, at + FIRST.length, 'tool_use"');
    at = endOfValue(bytes, at + 1, to);
  } while (at > 0 && bytes[at] === COMMA);
  if (at > 0 && bytes[at] === CLOSE_LIST) said.end = at + 1;
  return said;
}

const COMMA = 44;
const CLOSE_LIST = 93;
const FIRST = '[{"type":"';
const NEXT = ',{"type":"';

/** What stands behind it, as slots. */
interface CallTail {
  uuid: number;
  timestamp: number;
  request: number | undefined;
  version: number | undefined;
  stop: number | undefined;
  geo: number | undefined;
  speed: number | undefined;
  counts: readonly (number | undefined)[];
  isError: boolean;
}

// In the first one stands why it stopped, in the other how many tokens were read, or what is told before them.
const rules: ShapeRules = { within: ['message'], ends: new Set(), fixed: new Set(['type']), telling: [16, 20] };
const tails = new LineShapes<CallTail>(rules, callTailIn);

/** Without the first four it is not known what was charged. */
const COUNTS = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'cache_creation.ephemeral_1h_input_tokens',
  'output_tokens_details.thinking_tokens',
  'server_tool_use.web_search_requests',
].map((name) => `message.usage.${name}`);
const REQUIRED = 4;
const TEXTS = [
  'requestRef',
  'requestId',
  'version',
  'message.stop_reason',
  'message.usage.inference_geo',
  'message.usage.speed',
];
/** Told before. */
const HEAD = ['isSidechain', 'message', 'message.content', 'message.id', 'message.model', 'attachment', 'subtype'];

function callTailIn(paths: ShapePaths): CallTail | undefined {
  const uuid = textAt(paths, 'uuid');
  const timestamp = textAt(paths, 'timestamp');
  const counts = COUNTS.map((path) => numberAt(paths, path));
  const isCounted = COUNTS.every(
    (path, index) => counts[index] !== undefined || (index >= REQUIRED && !paths.has(path)),
  );
  // In other letters, or something else.
  const isPlain = TEXTS.every((path) => textAt(paths, path) !== undefined || !sameAt(paths, path)?.startsWith('"'));
  const isCall = sameAt(paths, 'type') === '"assistant"' && HEAD.every((path) => !paths.has(path));
  if (uuid === undefined || timestamp === undefined || !isCounted || !isPlain || !isCall) return undefined;
  const [ref, id, version, stop, geo, speed] = TEXTS.map((path) => textAt(paths, path));
  const isError = sameAt(paths, 'isApiErrorMessage') === 'true';
  return { uuid, timestamp, request: ref ?? id, version, stop, geo, speed, counts, isError };
}

export interface Caller {
  id: string;
  model: string;
  version: string | undefined;
  isSidechain: boolean;
}

/** From behind what was said. Undefined when the line has to be read. */
export function callIn(line: TranscriptLine, { end, callsTool }: Said, caller: Caller): Json | undefined {
  const tail = tails.find(line.bytes, end, line.to);
  if (!tail || tails.at !== line.to) return undefined;
  const timestamp = timeAt(line.bytes, tails.begin(tail.timestamp) - 1, tails.behind(tail.timestamp) + 1);
  const usage = usageIn(line, tail);
  if (timestamp === undefined || !usage) return undefined;
  const { id, model, version, isSidechain } = caller;
  return {
    type: 'assistant',
    uuid: textIn(line, tail.uuid),
    timestamp,
    version: tail.version === undefined ? version : versions.in(line, tails, tail.version),
    isSidechain,
    requestRef: tail.request === undefined ? undefined : textIn(line, tail.request),
    message: { id, model, stop_reason: tail.stop === undefined ? undefined : stops.in(line, tails, tail.stop), usage },
    callsTool,
    isApiErrorMessage: tail.isError,
  };
}

/** From a line that was read, and is JSON. */
export function learnCall({ bytes, to }: TranscriptLine, { end }: Said): void {
  if (end > 0 && !tails.find(bytes, end, to)) tails.learn(bytes, end, to);
}

function textIn(line: TranscriptLine, slot: number): string {
  return line.text(tails.begin(slot), tails.behind(slot));
}

/** Each block of a message is a line and tells the usage of all of it, so that many are the same as the one before. */
function usageIn(line: TranscriptLine, { counts, geo, speed }: CallTail): Json | undefined {
  let isSame = last !== undefined;
  for (let index = 0; index < counts.length; index += 1) {
    const slot = counts[index];
    const count = slot === undefined ? undefined : countAt(line, slot);
    if (Number.isNaN(count)) return undefined;
    if (count !== now[index]) isSame = false;
    now[index] = count;
  }
  const place = geo === undefined ? undefined : geos.in(line, tails, geo);
  const pace = speed === undefined ? undefined : speeds.in(line, tails, speed);
  if (isSame && last?.inference_geo === place && last?.speed === pace) return last;
  const [
    input_tokens,
    output_tokens,
    cache_read_input_tokens,
    cache_creation_input_tokens,
    hourly,
    thinking,
    searches,
  ] = now;
  last = {
    input_tokens,
    output_tokens,
    cache_read_input_tokens,
    cache_creation_input_tokens,
    cache_creation: { ephemeral_1h_input_tokens: hourly },
    output_tokens_details: { thinking_tokens: thinking },
    server_tool_use: { web_search_requests: searches },
    inference_geo: place,
    speed: pace,
  };
  return last;
}

let last: Json | undefined;
const now: (number | undefined)[] = COUNTS.map(() => undefined);

/** NaN when it is no number that counts. */
function countAt({ bytes }: TranscriptLine, slot: number): number {
  const from = tails.begin(slot);
  return digits(bytes, from, tails.behind(slot) - from);
}

/** A text that is nearly always that of the line before, so that it is compared and not made. */
export class Same {
  #last = '';

  in(line: TranscriptLine, shapes: LineShapes<unknown>, slot: number): string {
    const from = shapes.begin(slot);
    const to = shapes.behind(slot);
    if (to - from !== this.#last.length || !isAt(line.bytes, from, this.#last)) this.#last = line.text(from, to);
    return this.#last;
  }
}

const versions = new Same();
const stops = new Same();
const geos = new Same();
const speeds = new Same();
