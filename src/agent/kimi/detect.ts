/** Recognises Kimi's messages and notices, and its handshake. */
import { surest } from '../detect.js';
import { isObject, members, string } from '../field.js';

/** Messages of chat completions, without anything around them; others could print them too. */
export const detect = surest((line) => {
  if (!isObject(line)) return 0;
  if (line.role === 'meta') return META.test(string(line.type) ?? '') ? 1 : 0;
  if (/^kimi/i.test(string(members(members(line.result).agentInfo).name) ?? '')) return 1;
  if ('type' in line) return 0;
  if (line.role === 'tool') return typeof line.tool_call_id === 'string' && 'content' in line ? 0.5 : 0;
  if (line.role !== 'assistant') return 0;
  return typeof line.content === 'string' || Array.isArray(line.content) || Array.isArray(line.tool_calls) ? 0.5 : 0;
});

const META = /^(system\.version|session\.resume_hint|turn\.step\.retrying)$/;
