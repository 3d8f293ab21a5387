import { isObject, type Json, list, object, string } from '../field.js';

/** How sure these first values of a stream are Claude Code's: others speak alike, so only its own marks count. */
export function detect(values: readonly unknown[]): number {
  let best = 0;
  for (const value of values) {
    const lines = Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
    for (const line of lines) best = Math.max(best, sureness(line));
  }
  return best;
}

function sureness(line: Json): number {
  if (line.type === 'system') {
    if (typeof line.claude_code_version === 'string') return 1;
    if (line.subtype === 'init') return isInit(line) ? 0.9 : 0;
    return 'uuid' in line && 'session_id' in line && SYSTEM_OPENERS.has(string(line.subtype) ?? '') ? 0.8 : 0;
  }
  if (line.type === 'result') return 'modelUsage' in line || 'total_cost_usd' in line ? 0.9 : 0;
  if (line.type === 'control_response') return object(object(line.response)?.response)?.claude_code_version ? 1 : 0.2;
  if (line.type === 'command_lifecycle') return 0.7;
  if (line.type === 'assistant' || line.type === 'stream_event' || line.type === 'user') {
    return 'parent_tool_use_id' in line && 'uuid' in line && 'session_id' in line ? 0.4 : 0;
  }
  return 0;
}

const isInit = (line: Json): boolean =>
  typeof line.permissionMode === 'string' && list(line.tools).length > 0 && Array.isArray(line.slash_commands);

/** Lines that may come before the first `init` (pitfall 26). */
const SYSTEM_OPENERS = new Set(['hook_started', 'hook_response', 'plugin_install', 'status', 'session_title_changed']);
