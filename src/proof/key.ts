/** Keys and signatures by WebCrypto, which Node and browsers share. All of them travel as base64url. */

/** A handle: whoever has it can use the key, and nobody can read it. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export interface SigningKey {
  readonly key: Key;
  /** The public half. */
  readonly publicText: string;
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' };
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Without `isKept` the private half never leaves the place where it was made, not even for a file. */
export async function createKey({ isKept = false } = {}): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey(CURVE, isKept, ['sign', 'verify']);
  return { key: pair.privateKey, publicText: encode(await crypto.subtle.exportKey('raw', pair.publicKey)) };
}

export async function writeKey({ key, publicText }: SigningKey): Promise<string> {
  return `${publicText}.${encode(await crypto.subtle.exportKey('pkcs8', key))}`;
}

export async function readKey(written: string): Promise<SigningKey> {
  const [publicText = '', secret = ''] = written.split('.');
  return { key: await crypto.subtle.importKey('pkcs8', decode(secret), CURVE, false, ['sign']), publicText };
}

export async function sign({ key }: Pick<SigningKey, 'key'>, text: string): Promise<string> {
  return encode(await crypto.subtle.sign(SIGNING, key, bytesOf(text)));
}

/** False also for what is no key or no signature at all. */
export async function isSignature(publicText: string, text: string, signature: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', decode(publicText), CURVE, false, ['verify']);
    return await crypto.subtle.verify(SIGNING, key, decode(signature), bytesOf(text));
  } catch {
    return false;
  }
}

/** Proves that somebody knows a secret, without telling it. */
export async function macOf(secret: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), HMAC, false, ['sign']);
  return encode(await crypto.subtle.sign('HMAC', key, bytesOf(text)));
}

export async function isMac(secret: string, text: string, mac: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', bytesOf(secret), HMAC, false, ['verify']);
    return await crypto.subtle.verify('HMAC', key, decode(mac), bytesOf(text));
  } catch {
    return false;
  }
}

export async function digestOf(body: string | ArrayBuffer): Promise<string> {
  return encode(await crypto.subtle.digest('SHA-256', typeof body === 'string' ? bytesOf(body) : body));
}

/** Four digits by which a person sees that two screens speak of the same page. */
export async function guestMark(pageKey: string): Promise<string> {
  const [first = 0, second = 0, third = 0] = new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(pageKey)));
  return String((first * 65_536 + second * 256 + third) % 10_000).padStart(4, '0');
}

/** 128 bits that nobody guesses. */
export function randomText(): string {
  return encode(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function encode(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}
