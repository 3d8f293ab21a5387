/** How many sessions are listed where nobody says it. */
export const LATEST = 20;
