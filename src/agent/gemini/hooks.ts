/** What Gemini CLI tells programs of the user (0.61.0). Its notice of a question cannot be answered: it is only listened to. */
import { members, string } from '../field.js';
import { toldHooks } from '../told-hooks.js';
import { TOOLS } from './tools.js';

export const hooks = toldHooks({
  settings: ['$GEMINI_CLI_HOME/.gemini/settings.json', '~/.gemini/settings.json'],
  conversation: /[\\/]chats[\\/]session-[^\\/]+\.jsonl?$/,
  // Milliseconds.
  timeout: 5000,
  moments: {
    SessionStart: 'session-start',
    SessionEnd: 'session-end',
    BeforeAgent: 'prompt',
    BeforeTool: 'tool-start',
    // The only notice that there is: it asks for a permission. What the person said is told when the tool has ended.
    Notification: 'ask',
    AfterTool: 'tool-end',
    AfterAgent: 'turn-end',
  },
  tools: TOOLS,
  calledIn({ tool_name, tool_input, details }) {
    const name = string(tool_name);
    if (name !== undefined) return { name, input: members(tool_input) };
    // A question does not name its tool, only what that would do.
    const { command, filePath, toolName } = members(details);
    if (string(command) !== undefined) return { name: 'run_shell_command', input: { command } };
    if (string(filePath) !== undefined) return { name: 'write_file', input: { file_path: filePath } };
    return string(toolName) === undefined ? undefined : { name: String(toolName), input: {} };
  },
});
