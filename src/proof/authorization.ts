/** The `Authorization` header of a signed request. */

export const SCHEME = 'Glassbox';

export interface Authorization {
  origin: string;
  boot: string;
  browser: string;
  pageKey: string;
  certificate: string;
  count: number;
  /** Of the body. */
  digest: string;
  signature: string;
}

export function formatAuthorization(authorization: Authorization): string {
  const pairs = Object.entries(authorization).map(([name, value]) => `${name}=${value}`);
  return `${SCHEME} ${pairs.join(',')}`;
}

/** Absent when the header is of another kind, or something is missing. */
export function readAuthorization(header: string): Authorization | undefined {
  if (!header.startsWith(`${SCHEME} `)) return undefined;
  const pairs = header.slice(SCHEME.length + 1).split(',');
  const found = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  const { origin, boot, browser, pageKey, certificate, digest, signature } = Object.fromEntries(found);
  const count = Number(found.get('count'));
  if (!origin || !boot || !browser || !pageKey || !certificate || !digest || !signature) return undefined;
  if (!Number.isSafeInteger(count) || count < 1) return undefined;
  return { origin, boot, browser, pageKey, certificate, count, digest, signature };
}
