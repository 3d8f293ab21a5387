/** Codes of links that were not used yet; they are forgotten with the server. */
import type { LinkCodes } from './lobby.js';

/** Whoever asks for more of them than anybody opens loses the oldest. */
export const MOST_LINKS = 32;

export function createLinkCodes(): LinkCodes {
  const codes = new Set<string>();
  return {
    add(code) {
      codes.add(code);
      for (const old of codes) if (codes.size > MOST_LINKS) codes.delete(old);
    },
    all: () => codes,
    take: (code) => codes.delete(code),
  };
}
