/** Recognises Cursor's lines. */
import { surest } from '../detect.js';
import { isObject } from '../field.js';

export const detect = surest((line) => {
  if (!isObject(line) || typeof line.session_id !== 'string') return 0;
  const { type, subtype } = line;
  if (type === 'system' && subtype === 'init') return 'apiKeySource' in line && !('tools' in line) ? 0.95 : 0;
  if (type === 'tool_call') return 'call_id' in line && isObject(line.tool_call) ? 1 : 0;
  if (type === 'thinking') return subtype === 'delta' || subtype === 'completed' ? 0.9 : 0;
  // Auggie's only line has a request id too.
  return type === 'result' && 'request_id' in line && 'duration_ms' in line ? 0.8 : 0;
});
