/** Recognises pi's events. */
import { surest } from '../detect.js';
import { members, string } from '../field.js';

export const detect = surest((value) => {
  const { type, version, id, cwd, command: name, success, message, assistantMessageEvent } = members(value);
  if (type === 'session')
    return typeof version === 'number' && typeof id === 'string' && typeof cwd === 'string' ? 1 : 0;
  if (type === 'response') return typeof name === 'string' && typeof success === 'boolean' ? 0.8 : 0;
  if (type === 'message_update') return members(assistantMessageEvent).type === undefined ? 0 : 0.9;
  if (type === 'message_start' || type === 'message_end') return string(members(message).role) === undefined ? 0 : 0.7;
  return type === 'agent_start' || type === 'turn_start' ? 0.3 : 0;
});
