/**
 * Bytes of unknown origin → events: recognises the agent from the first lines, or events that glassbox printed itself. What
 * comes before that and is no JSON is passed on, without its secrets; so is everything, when nothing is recognised.
 */
import type { Agent } from '../../agent/index.js';
import { adviceFor, createDecoder, type Decoder, detectAgent, requireAgent, watchFields } from '../../decode/index.js';
import { type AgentEvent, GlassboxError } from '../../event/index.js';
import { createLineSplitter } from '../../jsonl/index.js';
import { createEventReader, isPrintedEvent } from './event-reader.js';
import { createPassThrough } from './pass-through.js';

export type Part = { events: AgentEvent[]; raw?: undefined } | { events?: undefined; raw: Uint8Array };

export interface StreamReader {
  /** Throws a `GlassboxError` when the input is binary. */
  push(bytes: Uint8Array): Part[];
  end(): Part[];
  /** Whether the input is something that can be shown: with a named agent, whether anything of it was understood. */
  isRecognised(): boolean;
  /** What to do with an input that is not, where an agent knows. */
  advice(): string | undefined;
}

/** JSON lines that are looked at, and bytes that are held back for it. */
const MOST_VALUES = 20;
const MOST_BYTES = 16 * 2 ** 20;
/** How much of an input tells what else it is. */
const HEAD = 1024;

export interface StreamReaderOptions {
  /** That of the agent's events; printed events have their own. */
  runId?: string;
  now?: () => number;
  /** Who looks at the agent's lines on their way; unless told, those fields are noted that nobody knows. */
  watch?: (agent: Agent) => Agent;
}

/** With `agent` nothing is guessed. Throws a `GlassboxError` when no agent has this name. */
export function createStreamReader(
  agent?: string,
  { watch = watchFields, ...options }: StreamReaderOptions = {},
): StreamReader {
  const decoderOf = (name: string) => createDecoder(watch(requireAgent(name)), options);
  let decoder: Decoder | undefined = agent === undefined ? undefined : decoderOf(agent);
  const talk = createPassThrough();
  const splitter = createLineSplitter();
  let hopeless = false;
  /** Lines that may be the beginning of a stream. */
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const values: unknown[] = [];
  let head = '';
  let isUnderstood = false;
  const isRecognised = () => decoder !== undefined && (agent === undefined || isUnderstood);

  return {
    isRecognised,
    advice: () => (isRecognised() ? undefined : adviceFor(head)),
    push(bytes) {
      if (!isRecognised() && head.length < HEAD) head += new TextDecoder().decode(bytes.subarray(0, HEAD));
      if (decoder) return [told(decoder.push(bytes))];
      if (hopeless) return [{ raw: talk.push(bytes) }];
      if (bytes.includes(0)) throw new GlassboxError('read-failed', 'The input is binary, not the stream of an agent.');
      const parts = splitter.push(bytes).flatMap(read);
      if (decoder) return [...parts, ...splitter.end().flatMap(read)];
      const isTooMuch = values.length >= MOST_VALUES || heldBytes + splitter.openBytes > MOST_BYTES;
      return isTooMuch ? [...parts, ...giveUp()] : parts;
    },
    end() {
      const parts = splitter.end().flatMap(read);
      return decoder ? [...parts, told(decoder.end())] : [...parts, ...giveUp(), { raw: talk.end() }];
    },
  };

  function told(events: AgentEvent[]): Part {
    isUnderstood ||= events.some(({ type }) => type !== 'unknown' && type !== 'decode-error');
    return { events };
  }

  function read(line: Uint8Array): Part[] {
    if (decoder) return [told(decoder.push(line))];
    const value = parse(new TextDecoder().decode(line));
    if (value !== undefined) values.push(value);
    // Talk before the stream begins, of a shell or of npm, need not wait for it.
    if (values.length === 0) return [{ raw: talk.push(line) }];
    held.push(line);
    heldBytes += line.length;
    decoder = value === undefined ? undefined : recognise();
    return decoder ? [{ raw: talk.end() }, ...take().map((bytes) => ({ events: decoder?.push(bytes) ?? [] }))] : [];
  }

  function recognise(): Decoder | undefined {
    if (isPrintedEvent(values[0])) return createEventReader();
    const name = detectAgent(values);
    return name === undefined ? undefined : decoderOf(name);
  }

  function giveUp(): Part[] {
    hopeless = true;
    return [...take(), ...splitter.end()].map((bytes) => ({ raw: talk.push(bytes) }));
  }

  function take(): Uint8Array[] {
    const taken = held;
    held = [];
    heldBytes = 0;
    values.length = 0;
    return taken;
  }
}

/** Agents print objects, or one array of them; a bare number or word is talk. */
function parse(line: string): unknown {
  if (!/^\s*[{[]/.test(line)) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
