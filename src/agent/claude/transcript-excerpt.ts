/**
 * Of a line of a transcript what tells money and time, cut out of its bytes where the program writes it (1.0 to 2.1), because reading all of
 * it takes many times as long. A line that is written otherwise is read whole.
 */
import { type Json, object, parsed, string } from '../field.js';
import { endOfValue, isAt, RawFields, timeAt } from '../raw-fields.js';
import type { TranscriptLine } from '../transcript.js';

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
const inner = new RawFields();

/** Lines of the conversation, each linked to the one before. Those that are nobody's words tell nothing of money. */
function linkedOf(line: TranscriptLine, hasPrompt: boolean): Json | undefined {
  const { bytes, from, to } = line;
  let isSidechain = false;
  let isUser = false;
  let isSystem = false;
  let early: string | undefined;
  fields.begin(bytes, from, to);
  while (fields.next()) {
    switch (bytes[fields.keyFrom]) {
      case 105:
        if (fields.isKey('isSidechain')) isSidechain = fields.begins('true');
        break;
      case 97:
        // Words that waited until the agent had time for them.
        if (fields.isKey('attachment')) return fields.begins('{"type":"queued_command"') ? wholeOf(line) : undefined;
        break;
      case 116:
        if (!fields.isKey('type')) break;
        isUser = fields.begins('"user"');
        isSystem = fields.begins('"system"');
        // The error of a request, which is seldom.
        if (!isUser && !isSystem) return fields.begins('"attachment"') ? undefined : wholeOf(line);
        break;
      case 115:
        if (isSystem && fields.isKey('subtype')) return fields.begins('"compact_boundary"') ? wholeOf(line) : undefined;
        break;
      case 109:
        if (!fields.isKey('message')) break;
        if (isUser) return saidIn(line, isSidechain, hasPrompt) ?? wholeOf(line);
        return callIn(line, isSidechain, early) ?? wholeOf(line);
      case 118:
        if (!fields.isKey('version') || !fields.skip()) break;
        early = version.in(line, fields);
        continue;
      default:
    }
    if (!fields.skip()) break;
  }
  return wholeOf(line);
}

/** What somebody said, only as far as is needed to know whether it begins a turn; or that a tool gave something back. */
function saidIn(line: TranscriptLine, isSidechain: boolean, hasPrompt: boolean): Json | undefined {
  inner.begin(line.bytes, fields.valueFrom, line.to);
  while (inner.next()) {
    if (inner.isKey('content')) {
      if (inner.isText) return hasPrompt ? promptIn(line, isSidechain) : undefined;
      return inner.begins('[{') && isResult(line, inner.valueFrom + 1)
        ? addTime({ type: 'result', isSidechain, uuid: undefined, timestamp: undefined }, line)
        : undefined;
    }
    if (!inner.skip()) return undefined;
  }
  return undefined;
}

function promptIn(line: TranscriptLine, isSidechain: boolean): Json | undefined {
  const from = inner.valueFrom + 1;
  const first = line.bytes[from] ?? BACKSLASH;
  // What begins with a blank is looked at behind it.
  if (first <= BLANK || first === BACKSLASH) return undefined;
  const message = { content: line.text(from, from + MOST_LETTERS) };
  return addTime(
    {
      type: 'user',
      isSidechain,
      message,
      uuid: undefined,
      timestamp: undefined,
      isMeta: false,
      isCompactSummary: false,
    },
    line,
  );
}

const BLANK = 32;
const BACKSLASH = 92;
/** As much of a prompt as tells whether it is one. */
const MOST_LETTERS = 40;

/** Whether the first block is what a tool gave back. */
function isResult({ bytes, to }: TranscriptLine, at: number): boolean {
  inner.begin(bytes, at, to);
  while (inner.next()) {
    if (inner.isKey('type')) return inner.begins('"tool_result"');
    if (!inner.isText || !inner.skip()) return false;
  }
  return false;
}

/** Id and time stand together behind the message, and before what the program knows of a result. */
function addTime(entry: Json, line: TranscriptLine): Json | undefined {
  if (!fields.skip()) return undefined;
  while (fields.next() && fields.skip()) {
    if (fields.isKey('uuid')) entry.uuid = textIn(line, fields);
    else if (fields.isKey('isMeta')) entry.isMeta = fields.begins('true');
    else if (fields.isKey('isCompactSummary')) entry.isCompactSummary = fields.begins('true');
    else if (fields.isKey('timestamp')) entry.timestamp = timeAt(line.bytes, fields.valueFrom, fields.valueTo);
    // What is known of a result stands behind, and is long.
    if (entry.type === 'result' && entry.uuid !== undefined && entry.timestamp !== undefined) return entry;
  }
  return fields.isWhole && entry.timestamp !== undefined ? entry : undefined;
}

/** One call of the model, without what was said. */
function callIn(line: TranscriptLine, isSidechain: boolean, early: string | undefined): Json | undefined {
  const { bytes, to } = line;
  let id: string | undefined;
  let name: string | undefined;
  let callsTool = false;
  let stop: string | undefined;
  let usage: Json | undefined;
  inner.begin(bytes, fields.valueFrom, to);
  while (inner.next()) {
    if (inner.isKey('content')) {
      callsTool = hasCall(bytes, to);
      continue;
    }
    if (!inner.skip()) return undefined;
    switch (bytes[inner.keyFrom]) {
      case 105:
        if (inner.isKey('id')) id = textIn(line, inner);
        break;
      case 109:
        if (inner.isKey('model')) name = model.in(line, inner);
        break;
      case 115:
        if (inner.isKey('stop_reason') && inner.isText) stop = stopReason.in(line, inner);
        break;
      case 117:
        if (inner.isKey('usage')) usage = usageIn(line, inner.valueFrom, inner.valueTo);
        break;
      default:
    }
  }
  if (id === undefined || name === undefined || !usage || bytes[inner.at] !== CLOSE) return undefined;
  const message = { id, model: name, stop_reason: stop, usage };
  return behindMessage(line, { message, isSidechain, callsTool, version: early });
}

const CLOSE = 125;

/** Goes behind what was said, block by block, and tells whether one of them calls a tool. */
function hasCall(bytes: Uint8Array, end: number): boolean {
  if (!inner.begins('[{')) return !inner.skip();
  let isCall = false;
  let at = inner.valueFrom;
  do {
    isCall ||= isAt(bytes, at + 1, '{"type":"tool_use"');
    at = endOfValue(bytes, at + 1, end);
  } while (at > 0 && bytes[at] === COMMA);
  // Behind the bracket; what has no end is not found again.
  inner.go(at < 0 ? end : at + 1);
  return isCall;
}

const COMMA = 44;

/** With what stands behind the message; undefined when the line does not end there. */
function behindMessage(line: TranscriptLine, facts: Json): Json | undefined {
  const { bytes, to } = line;
  let request: string | undefined;
  let requestRef: string | undefined;
  let uuid: string | undefined;
  let timestamp: number | undefined;
  let late: string | undefined;
  let isError = false;
  let isCall = false;
  fields.begin(bytes, inner.at + 1, to);
  while (fields.next() && fields.skip()) {
    switch (bytes[fields.keyFrom]) {
      case 114:
        if (fields.isKey('requestRef')) requestRef = textIn(line, fields);
        else if (fields.isKey('requestId')) request = textIn(line, fields);
        break;
      case 116:
        if (fields.isKey('type')) isCall = fields.begins('"assistant"');
        else if (fields.isKey('timestamp')) timestamp = timeAt(bytes, fields.valueFrom, fields.valueTo);
        break;
      case 117:
        if (fields.isKey('uuid')) uuid = textIn(line, fields);
        break;
      case 118:
        if (fields.isKey('version')) late = version.in(line, fields);
        break;
      case 105:
        if (fields.isKey('isApiErrorMessage')) isError = fields.begins('true');
        break;
      default:
    }
  }
  if (!fields.isWhole || !isCall || timestamp === undefined) return undefined;
  const { message, isSidechain, callsTool, version: early } = facts;
  return {
    type: 'assistant',
    uuid,
    timestamp,
    version: late ?? early,
    isSidechain,
    requestRef: requestRef ?? request,
    message,
    callsTool,
    isApiErrorMessage: isError,
  };
}

/** Each block of a message is a line and tells the usage of all of it, so most are the same as the one before. */
function usageIn(line: TranscriptLine, from: number, to: number): Json | undefined {
  const text = line.text(from, to);
  if (text !== last.text) last = { text, usage: countsIn(line, from, to) ?? object(parsed(text)) };
  return last.usage;
}

let last: { text: string; usage: Json | undefined } = { text: '', usage: undefined };

const counts = new RawFields();
const details = new RawFields();

/** What is counted and what changes its price; undefined when a figure is written in another way. */
function countsIn(line: TranscriptLine, from: number, to: number): Json | undefined {
  let input: number | undefined;
  let output: number | undefined;
  let cacheRead: number | undefined;
  let cacheWrite: number | undefined;
  let hourly: number | undefined;
  let thinking: number | undefined;
  let searches: number | undefined;
  let inferenceGeo: string | undefined;
  let speedName: string | undefined;
  counts.begin(line.bytes, from, to);
  while (counts.next()) {
    if (!counts.skip()) return undefined;
    switch (counts.keyTo - counts.keyFrom) {
      case 12:
        if (counts.isKey('input_tokens')) input = counts.count;
        break;
      case 13:
        if (counts.isKey('output_tokens')) output = counts.count;
        else if (counts.isKey('inference_geo')) inferenceGeo = geo.in(line, counts);
        break;
      case 23:
        if (counts.isKey('cache_read_input_tokens')) cacheRead = counts.count;
        break;
      case 27:
        if (counts.isKey('cache_creation_input_tokens')) cacheWrite = counts.count;
        break;
      case 14:
        if (counts.isKey('cache_creation')) hourly = countIn(line, 'ephemeral_1h_input_tokens');
        break;
      case 21:
        if (counts.isKey('output_tokens_details')) thinking = countIn(line, 'thinking_tokens');
        break;
      case 15:
        if (counts.isKey('server_tool_use')) searches = countIn(line, 'web_search_requests');
        break;
      case 5:
        if (counts.isKey('speed')) speedName = speed.in(line, counts);
        break;
      default:
    }
  }
  const isSure = input !== undefined && output !== undefined && hourly !== -1 && thinking !== -1 && searches !== -1;
  if (!isSure || cacheRead === undefined || cacheWrite === undefined || !counts.isWhole) return undefined;
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    cache_creation: { ephemeral_1h_input_tokens: hourly },
    output_tokens_details: { thinking_tokens: thinking },
    server_tool_use: { web_search_requests: searches },
    inference_geo: inferenceGeo,
    speed: speedName,
  };
}

/** A figure of an object within; -1 when it is written in another way. */
function countIn({ bytes }: TranscriptLine, key: string): number | undefined {
  if (!counts.begins('{')) return counts.begins('null') ? undefined : -1;
  details.begin(bytes, counts.valueFrom, counts.valueTo);
  while (details.next()) {
    if (!details.skip()) return -1;
    if (details.isKey(key)) return details.count ?? -1;
  }
  return undefined;
}

/** A text that is nearly always that of the line before, so that it is compared and not made. */
class Same {
  #last = '';

  in(line: TranscriptLine, field: RawFields): string | undefined {
    const { valueFrom, valueTo } = field;
    if (valueTo - valueFrom - 2 === this.#last.length && isAt(line.bytes, valueFrom + 1, this.#last)) return this.#last;
    const text = textIn(line, field);
    this.#last = text ?? '';
    return text;
  }
}

const version = new Same();
const model = new Same();
const geo = new Same();
const speed = new Same();
const stopReason = new Same();

/** Undefined when its letters have to be read. */
function textIn(line: TranscriptLine, field: RawFields): string | undefined {
  return field.isPlain ? line.text(field.valueFrom + 1, field.valueTo - 1) : undefined;
}
