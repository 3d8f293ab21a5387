/** The oracle of each agent. */
import { readAmp, readClaude, readQwen } from './claude.js';
import { readCline } from './cline.js';
import { readCodex } from './codex.js';
import { readCopilot } from './copilot.js';
import { readCursor } from './cursor.js';
import { readDroid } from './droid.js';
import type { Oracle } from './facts.js';
import { readGemini } from './gemini.js';
import { readKimi } from './kimi.js';
import { readOpencode } from './opencode.js';
import { readPi } from './pi.js';

export { differences } from './told.js';

export const oracles: Record<string, Oracle> = {
  claude: readClaude,
  amp: readAmp,
  cline: readCline,
  codex: readCodex,
  copilot: readCopilot,
  cursor: readCursor,
  droid: readDroid,
  gemini: readGemini,
  kilo: readOpencode,
  kimi: readKimi,
  opencode: readOpencode,
  pi: readPi,
  qwen: readQwen,
};
