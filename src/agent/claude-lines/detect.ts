/**
 * What tells apart those who print the same lines, when the beginning of a stream is missing: the message in them. One passes on what the API
 * of its maker gave, in which `stop_sequence` always stands; the others write their own.
 */
import { type Json, object } from '../field.js';

/** Undefined for a line that holds none, or is no such line. */
export function messageIn(line: Json): Json | undefined {
  if (line.type !== 'assistant' && line.type !== 'stream_event') return undefined;
  if (!('parent_tool_use_id' in line && 'uuid' in line && 'session_id' in line)) return undefined;
  return object(line.message) ?? object(object(line.event)?.message);
}

export const isOfApi = (message: Json): boolean => 'stop_sequence' in message;

/** For a stream of which only lines came that say nothing about who printed them. */
export function adviceIfJoined(head: string): string | undefined {
  return JOINED.test(head) ? TWO_PRINT_IT : undefined;
}

const JOINED = /^\s*\{"type":"(stream_event|user)",[^\n]*"parent_tool_use_id":/;
const TWO_PRINT_IT =
  'Several agents print such lines, and the beginning that tells who it was is missing. Name the agent with --agent.';
