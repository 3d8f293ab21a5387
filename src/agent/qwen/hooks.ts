/**
 * What Qwen Code tells programs of the user (0.24.4). It asks its `PermissionRequest` before it shows its own dialog, so that whoever
 * answered there would lock out the person at the terminal: it is only listened to.
 */
import { members, string } from '../field.js';
import { toldHooks } from '../told-hooks.js';
import { TOOLS } from './tools.js';

export const hooks = toldHooks({
  settings: ['$QWEN_HOME/settings.json', '~/.qwen/settings.json'],
  conversation: /[\\/]chats[\\/][0-9a-f-]{36}\.jsonl$/,
  // Seconds.
  timeout: 5,
  moments: {
    SessionStart: 'session-start',
    SessionEnd: 'session-end',
    UserPromptSubmit: 'prompt',
    PermissionRequest: 'ask',
    // It comes when the call was allowed.
    PreToolUse: 'tool-start',
    PostToolUse: 'tool-end',
    PostToolUseFailure: 'tool-end',
    Stop: 'turn-end',
    StopFailure: 'turn-end',
  },
  tools: TOOLS,
  calledIn({ tool_name, tool_input, tool_use_id }) {
    const name = string(tool_name);
    return name === undefined ? undefined : { name, input: members(tool_input), id: string(tool_use_id) };
  },
});
