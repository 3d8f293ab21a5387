/** Recognises Qwen Code's lines. */
import { isOfApi, messageIn } from '../claude-lines/detect.js';
import { surest } from '../detect.js';
import { isObject, object, string } from '../field.js';

export const detect = surest((line) => {
  if (!isObject(line)) return 0;
  if (typeof line.qwen_code_version === 'string') return 1;
  if (line.type === 'stream_event' && object(line.event)?.type === 'goal_state') return 0.9;
  // A run that could not begin prints its result only; the object is what tells it from others.
  if (line.type === 'result' && 'permission_denials' in line && string(object(line.error)?.message)) return 0.7;
  // Its result has no price, whoever else prints such lines has one.
  if (line.type === 'result' && 'permission_denials' in line && !('total_cost_usd' in line) && 'uuid' in line)
    return 0.6;
  const message = messageIn(line);
  if (message) return isOfApi(message) ? 0 : 0.4;
  const answer = object(object(line.response)?.response);
  return line.type === 'control_response' && object(answer?.capabilities)?.can_handle_can_use_tool === true ? 0.8 : 0;
});
