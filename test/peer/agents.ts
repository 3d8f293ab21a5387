/** The real agents that go through the matrix. */
import { amp } from './agent/amp.js';
import { claude } from './agent/claude.js';
import { cline } from './agent/cline.js';
import { codex } from './agent/codex.js';
import { copilot } from './agent/copilot.js';
import { droid } from './agent/droid.js';
import { gemini } from './agent/gemini.js';
import { kilo } from './agent/kilo.js';
import { kimi } from './agent/kimi.js';
import { opencode } from './agent/opencode.js';
import { pi, piBefore } from './agent/pi.js';
import { qwen } from './agent/qwen.js';
import type { Peer } from './peer.js';

export const PEERS: readonly Peer[] = [
  claude,
  codex,
  amp,
  gemini,
  qwen,
  opencode,
  kilo,
  pi,
  piBefore,
  copilot,
  droid,
  cline,
  kimi,
];
