/** Recognises Gemini CLI's lines. */
import { surest } from '../detect.js';
import { isObject } from '../field.js';

export const detect = surest((line) => {
  if (!isObject(line) || typeof line.timestamp !== 'string') return 0;
  if (line.type === 'init') return typeof line.session_id === 'string' && typeof line.model === 'string' ? 1 : 0;
  if (line.type === 'message') return typeof line.role === 'string' && typeof line.content === 'string' ? 0.7 : 0;
  if (line.type === 'tool_use') return 'tool_name' in line && 'tool_id' in line ? 0.9 : 0;
  return line.type === 'result' && 'stats' in line ? 0.9 : 0;
});
