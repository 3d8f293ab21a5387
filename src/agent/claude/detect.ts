import { isOfApi, messageIn } from '../claude-lines/detect.js';
import { surest } from '../detect.js';
import { isObject, type Json, list, object, string } from '../field.js';

/** How sure these first values of a stream are Claude Code's: others speak alike, so only its own marks count. */
export const detect = surest((value) => (isObject(value) ? sureness(value) : 0));

function sureness(line: Json): number {
  if (line.type === 'system') {
    if (typeof line.claude_code_version === 'string') return 1;
    if (line.subtype === 'init') return isInit(line) ? 0.9 : 0;
    return 'uuid' in line && 'session_id' in line && SYSTEM_OPENERS.has(string(line.subtype) ?? '') ? 0.8 : 0;
  }
  if (line.type === 'result') return 'modelUsage' in line || 'total_cost_usd' in line ? 0.9 : 0;
  if (line.type === 'control_response') return object(object(line.response)?.response)?.claude_code_version ? 1 : 0;
  if (line.type === 'command_lifecycle') return 0.7;
  const message = messageIn(line);
  if (message) return isOfApi(message) ? 0.4 : 0;
  return LIKE_OTHERS.has(string(line.type) ?? '') && OWN_FIELDS.some((field) => field in line) ? 0.4 : 0;
}

const isInit = (line: Json): boolean =>
  typeof line.permissionMode === 'string' && list(line.tools).length > 0 && Array.isArray(line.slash_commands);

/** Others print these too, and without a message only what they do not have tells. */
const LIKE_OTHERS = new Set(['assistant', 'stream_event', 'user']);
const OWN_FIELDS = ['api_message_id', 'ttft_ms', 'timestamp', 'tool_use_result', 'tool_result_meta', 'isReplay'];

/** Lines that may come before the first `init`. */
const SYSTEM_OPENERS = new Set(['hook_started', 'hook_response', 'plugin_install', 'status', 'session_title_changed']);
