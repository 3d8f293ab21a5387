/** Recognises Amp's lines. */
import { surest } from '../detect.js';
import { isObject, string } from '../field.js';

/** Threads are named `T-<uuid>`, and nobody else does that. */
export const detect = surest((line) => {
  if (!isObject(line) || !string(line.session_id)?.startsWith('T-')) return 0;
  return line.type === 'system' && line.subtype === 'init' ? 1 : 0.9;
});
