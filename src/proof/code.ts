/** Login codes: short enough to be typed, and in a link behind `#`, where no server sees them. */

/** Without the letters that look like digits. 60 bits, which work once: nobody guesses them over a network. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;
const FRAGMENT = 'login=';
/** Who comes by it has to be confirmed. */
const GUEST_FRAGMENT = 'guest=';

const KNOWN = new RegExp(`^(?:${FRAGMENT}|${GUEST_FRAGMENT})`);

export function createCode(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(LENGTH))].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

export function linkWith(url: string, code: string): string {
  return `${url}/#${FRAGMENT}${code}`;
}

export function guestLinkWith(url: string, code: string): string {
  return `${url}/#${GUEST_FRAGMENT}${code}`;
}

/** A link, or its fragment, by which somebody comes who has to be confirmed. */
export function isGuestLink(written: string): boolean {
  return written.split('#')[1]?.startsWith(GUEST_FRAGMENT) ?? false;
}

/** The code in a link, in a link's fragment, or as somebody typed it; absent when there is none. */
export function codeIn(written: string): string | undefined {
  const [, fragment] = written.split('#');
  if (fragment !== undefined && !KNOWN.test(fragment)) return undefined;
  const letters = (fragment?.replace(KNOWN, '') ?? written).toUpperCase().replace(/[^0-9A-Z]/g, '');
  const meant = letters.replaceAll('O', '0').replace(/[IL]/g, '1');
  return meant.length === LENGTH ? meant.replace(/(.{4})(?=.)/g, '$1-') : undefined;
}
