/** Kimi Code's program (2.1.0) gives itself a title, and in a terminal moves something while it works and nothing while it waits. */
import type { SignsOfLife } from '../presence.js';

export const presence: SignsOfLife = { titles: ['kimi-code'], movesAtWork: true };
