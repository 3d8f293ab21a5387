/** An agent's output in, in pieces of any size, printed lines out. */
import { agentForCommand, createDecoder } from '../../decode/index.js';
import type { AgentEvent } from '../../event/index.js';
import { createFormatter, type FormatOptions } from './format.js';
import { createProjection } from './project.js';
import { sentence } from './safe.js';

export interface ProcessorOptions extends Omit<FormatOptions, 'agentName'> {
  /** Gets what is to be printed, whole lines with their newlines, one call per event. */
  write: (lines: string) => void;
  /** Milliseconds since the epoch, for `lastActivity`. */
  now: () => number;
  /** Instead of the agent's own name. */
  agentName?: string;
  /** Gets a line for each line that could not be read; it never repeats its text. */
  debug?: (line: string) => void;
  /** As for a decoder; `Infinity` for none. */
  maxLineBytes?: number;
}

export interface Processor {
  write(output: Uint8Array | string): void;
  /** The output is over: what is left is processed before this returns. Safe to call twice; later writes are ignored. */
  close(): void;
  /** When something other than blank lines came last, readable or not; undefined before that. For who watches for silence. */
  lastActivity(): number | undefined;
  stats(): { events: number; errors: number };
}

/** None for a program that glassbox cannot read, whose output is then passed on as it is. */
export function createProcessor(command: string, options: ProcessorOptions): Processor | undefined {
  const agent = agentForCommand(command);
  if (!agent || agent.outputFlags.length === 0) return undefined;
  const { write, now, debug, maxLineBytes, ...format } = options;
  const decoder = createDecoder(agent, { now, countNoise: false, ...(maxLineBytes !== undefined && { maxLineBytes }) });
  const projection = createProjection();
  const formatter = createFormatter({ ...format, agentName: format.agentName ?? agent.name });
  const stats = { events: 0, errors: 0 };
  let lastActivity: number | undefined;
  let closed = false;

  function process(events: AgentEvent[]): void {
    for (const event of events) {
      if (event.type === 'decode-error') {
        stats.errors += 1;
        debug?.(sentence`[stream-debug] ${REASON[event.code]} (line ${event.line}, ${event.bytes} bytes)`);
        continue;
      }
      for (const said of projection.push(event)) {
        stats.events += 1;
        const lines = formatter.format(said);
        if (lines !== '') write(lines);
      }
    }
  }

  return {
    write(output) {
      if (closed) return;
      if (saysSomething(output)) lastActivity = now();
      process(decoder.push(output));
    },
    close() {
      if (closed) return;
      closed = true;
      process(decoder.end());
    },
    lastActivity: () => lastActivity,
    stats: () => ({ ...stats }),
  };
}

const REASON = { json_parse: 'invalid JSON', line_too_long: 'line too long', encoding: 'invalid UTF-8' };

function saysSomething(output: Uint8Array | string): boolean {
  return typeof output === 'string' ? /\S/.test(output) : output.some((byte) => byte > 0x20);
}
