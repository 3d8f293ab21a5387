/** Who may speak to the server: programs by a bearer token, browsers by a cookie that a link gave them once. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Access {
  /** For programs: `Authorization: Bearer …`. */
  readonly token: string;
  /** A code that logs one browser in, once. */
  createLoginCode(): string;
  /** The cookie for a code; absent when it is wrong or was used, `slow-down` after too many wrong ones. */
  logIn(code: string): string | undefined | 'slow-down';
  isKnown(request: { authorization?: string | undefined; cookie?: string | undefined }): boolean;
}

export const COOKIE = 'glassbox_session';

const MOST_FAILURES = 10;
const FORGET_MS = 60_000;

export function createAccess(options: { token?: string; now?: () => number } = {}): Access {
  const { token = secret(), now = Date.now } = options;
  const codes = new Set<string>();
  const cookies = new Set<string>();
  let failures: number[] = [];

  return {
    token,
    createLoginCode() {
      const code = secret();
      codes.add(digest(code));
      return code;
    },
    logIn(code) {
      failures = failures.filter((at) => now() - at < FORGET_MS);
      if (failures.length >= MOST_FAILURES) return 'slow-down';
      if (!codes.delete(digest(code))) {
        failures.push(now());
        return undefined;
      }
      const cookie = secret();
      cookies.add(digest(cookie));
      return cookie;
    },
    isKnown({ authorization, cookie }) {
      const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
      if (bearer !== undefined) return equal(bearer, token);
      const value = cookieValue(cookie ?? '');
      return value !== undefined && cookies.has(digest(value));
    },
  };
}

const secret = (): string => randomBytes(32).toString('base64url');

/** Only digests are compared and kept, so that neither time nor memory tells a secret. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const equal = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(digest(left)), Buffer.from(digest(right)));

function cookieValue(header: string): string | undefined {
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=');
    if (name === COOKIE) return value;
  }
  return undefined;
}
