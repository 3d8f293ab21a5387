/** Kilo's program in a terminal (7.7.7) moves something while it works and nothing while it waits. */
import { familyLog } from '../opencode-family/trace.js';
import type { SignsOfLife } from '../presence.js';

export const presence: SignsOfLife = { movesAtWork: true, log: familyLog('kilo') };
