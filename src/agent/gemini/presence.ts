/** Gemini CLI keeps nothing about live sessions, and in a terminal a call comes to disk when it is over (0.61.0): until then nothing tells that it asks. While it works it draws, and while it waits or rests it does not. */
import type { SignsOfLife } from '../presence.js';

export const presence: SignsOfLife = { movesAtWork: true, writesCallsLate: true };
