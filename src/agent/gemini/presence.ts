/** Gemini CLI keeps nothing about live sessions, and in a terminal a call comes to disk when it is over (0.61.0): until then nothing tells that it asks. */
import type { SignsOfLife } from '../presence.js';

export const presence: SignsOfLife = { writesCallsLate: true };
