import type { Agent } from '../agent/index.js';
import type { AgentEvent } from '../event/index.js';
import { createTextEncoder } from '../jsonl/index.js';
import { createPipeline, type PipelineOptions } from './pipeline.js';

export type DecoderOptions = Omit<PipelineOptions, 'agent' | 'prepare'>;

/** An agent's output in, in pieces of any size; events out. Never throws, whatever the agent prints. */
export interface Decoder {
  push(output: Uint8Array | string): AgentEvent[];
  /** The output is over: reads a last line without newline and closes what is open. */
  end(): AgentEvent[];
}

/** Throws a `GlassboxError` when no agent has this name. */
export function createDecoder(agent: Agent | string, options: DecoderOptions = {}): Decoder {
  const pipeline = createPipeline({ agent, ...options });
  const encoder = createTextEncoder();
  return {
    push: (output) => pipeline.push(typeof output === 'string' ? encoder.push(output) : output).events,
    end: () => [...pipeline.push(encoder.end()).events, ...pipeline.end().events],
  };
}
