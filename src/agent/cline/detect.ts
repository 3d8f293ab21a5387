/** Recognises Cline's lines. */
import { surest } from '../detect.js';
import { isObject, members } from '../field.js';

export const detect = surest((line) => {
  if (!isObject(line) || typeof line.ts !== 'string') return 0;
  if (line.type === 'hook_event') return typeof line.hookEventName === 'string' && 'agentId' in line ? 1 : 0;
  if (line.type === 'agent_event') return typeof members(line.event).type === 'string' ? 0.9 : 0;
  return line.type === 'run_result' ? 0.9 : 0;
});
