/** Droid's program in a terminal (0.225.2) moves something while it works and nothing while it waits. */
import type { SignsOfLife } from '../presence.js';

export const presence: SignsOfLife = { movesAtWork: true };
