/** Recognises Copilot's lines. */
import { surest } from '../detect.js';
import { isObject, members } from '../field.js';

export const detect = surest((line) => {
  if (!isObject(line) || typeof line.type !== 'string') return 0;
  if (line.type === 'result') return 'premiumRequests' in members(line.usage) ? 1 : 0;
  const isEnvelope = isObject(line.data) && typeof line.id === 'string' && 'parentId' in line;
  return isEnvelope && /^(session|user|assistant|model|tool|subagent)\./.test(line.type) ? 0.95 : 0;
});
