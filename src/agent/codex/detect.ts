/** Recognises both of Codex's streams by their first lines. */
import { surest } from '../detect.js';
import { anyString, members } from '../field.js';

export const detect = surest((value) => {
  const line = members(value);
  if (line.type === 'thread.started' && typeof line.thread_id === 'string') return 1;
  if (/^(turn\.(started|completed|failed)|item\.(started|updated|completed))$/.test(anyString(line.type) ?? ''))
    return 0.9;
  if ('jsonrpc' in line) return 0;
  // The app-server speaks JSON-RPC without saying so, and answers `initialize` with its home directory.
  if (typeof members(line.result).codexHome === 'string') return 1;
  return /^(thread|turn|item)\//.test(anyString(line.method) ?? '') ? 0.9 : 0;
});
