/** Recognises both of Droid's streams. */
import { surest } from '../detect.js';
import { isObject, members } from '../field.js';

export const detect = surest((line) => {
  if (!isObject(line)) return 0;
  if (isRpc(line)) return 1;
  const { type, subtype, role, session_id: session, timestamp } = line;
  if (typeof session !== 'string') return 0;
  if (type === 'system' && subtype === 'init')
    return 'reasoning_effort' in line && 'model' in line && !('mcp_servers' in line) ? 0.95 : 0;
  if (type === 'completion') return 'finalText' in line ? 0.95 : 0;
  if (typeof timestamp !== 'number') return 0;
  if (type === 'message') return typeof role === 'string' && typeof line.text === 'string' ? 0.8 : 0;
  return type === 'tool_call' && 'toolId' in line ? 0.8 : 0;
});

export const isRpc = (value: unknown): boolean => 'factoryApiVersion' in members(value);
