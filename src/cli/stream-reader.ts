/**
 * Bytes of unknown origin → events: recognises the agent from the first lines, or events that glassbox printed itself. What
 * comes before that and is no JSON is passed on as it is; so is everything, when nothing is recognised.
 */
import { createDecoder, type Decoder, detectAgent, requireAgent, watchFields } from '../decode/index.js';
import { type AgentEvent, GlassboxError } from '../event/index.js';
import { createEventReader, isPrintedEvent } from './event-reader.js';

export type Part = { events: AgentEvent[]; raw?: undefined } | { events?: undefined; raw: Uint8Array };

export interface StreamReader {
  /** Throws a `GlassboxError` when the input is binary. */
  push(bytes: Uint8Array): Part[];
  end(): Part[];
  /** Whether the input is something that can be shown. */
  isRecognised(): boolean;
}

/** JSON lines that are looked at, and bytes that are held back for it. */
const MOST_VALUES = 20;
const MOST_BYTES = 16 * 2 ** 20;
const LF = 0x0a;

/** With `agent` nothing is guessed. `runId` is that of the agent's events; printed events have their own. Throws a `GlassboxError` when no agent has this name. */
export function createStreamReader(agent?: string, options: { runId?: string } = {}): StreamReader {
  const decoderOf = (name: string) => createDecoder(watchFields(requireAgent(name)), options);
  let decoder: Decoder | undefined = agent === undefined ? undefined : decoderOf(agent);
  let hopeless = false;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const values: unknown[] = [];

  return {
    isRecognised: () => decoder !== undefined,
    push(bytes) {
      if (decoder) return [{ events: decoder.push(bytes) }];
      if (hopeless) return [{ raw: bytes }];
      if (bytes.includes(0)) throw new GlassboxError('read-failed', 'The input is binary, not the stream of an agent.');
      held.push(bytes);
      heldBytes += bytes.length;
      if (bytes.includes(LF)) return look(false);
      return heldBytes > MOST_BYTES ? giveUp() : [];
    },
    end() {
      const parts = decoder || hopeless ? [] : look(true);
      return decoder ? [...parts, { events: decoder.end() }] : [...parts, ...giveUp()];
    },
  };

  function look(atEnd: boolean): Part[] {
    const bytes = Buffer.concat(held);
    const parts: Part[] = [];
    let kept = 0;
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(LF, start);
      if (newline < 0 && !atEnd) break;
      const next = newline < 0 ? bytes.length : newline + 1;
      const value = parse(bytes.toString('utf8', start, next));
      if (value !== undefined) values.push(value);
      decoder = value === undefined ? undefined : recognise();
      if (decoder) return [...parts, ...take([]), { events: decoder.push(bytes.subarray(kept)) }];
      // Talk before the stream begins, of a shell or of npm, need not wait for it.
      if (values.length === 0) {
        parts.push({ raw: bytes.subarray(start, next) });
        kept = next;
      }
      start = next;
    }
    held = kept < bytes.length ? [bytes.subarray(kept)] : [];
    heldBytes = bytes.length - kept;
    return values.length >= MOST_VALUES || heldBytes > MOST_BYTES ? [...parts, ...giveUp()] : parts;
  }

  function recognise(): Decoder | undefined {
    if (isPrintedEvent(values[0])) return createEventReader();
    const name = detectAgent(values);
    return name === undefined ? undefined : decoderOf(name);
  }

  function giveUp(): Part[] {
    hopeless = true;
    return take(held.map((raw) => ({ raw })));
  }

  function take(parts: Part[]): Part[] {
    held = [];
    heldBytes = 0;
    values.length = 0;
    return parts;
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
