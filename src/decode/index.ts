export { agentForCommand, agentNamed, detectAgent, outputFlags } from './agent-lookup.js';
export type { DecodeOptions } from './decode.js';
export { decode } from './decode.js';
export type { Decoder, DecoderOptions } from './decoder.js';
export { createDecoder } from './decoder.js';
export type { Output, Pipeline, PipelineOptions } from './pipeline.js';
export { createPipeline } from './pipeline.js';
export type { StreamParser } from './stream-parser.js';
export { createStreamParser } from './stream-parser.js';
