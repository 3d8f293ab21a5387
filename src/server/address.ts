/**
 * By which names the server may be called, and under which one its page lives. There is one home for browsers, because what a browser
 * keeps belongs to an origin: under another name of this machine somebody else may listen on the same port.
 */

export interface Address {
  /** Of the page, and of the server for programs. */
  readonly url: string;
  /** Where people find the page: under the name of the proxy, if there is one in front. */
  readonly front: string;
  readonly isBehindProxy: boolean;
  /** Where other machines find the page, as far as that is known; empty when only this one does, or nobody said by which name. */
  readonly elsewhere: readonly string[];
  /** Only this machine reaches it. */
  readonly isHereAlone: boolean;
  /** A request with this host is answered. */
  answersTo(host: string): boolean;
  /** The page may be opened here. */
  isHome(host: string): boolean;
  /** Pages of this server come from here. */
  isOurs(origin: string): boolean;
}

export interface AddressOptions {
  /** As it was asked for. */
  host: string;
  /** Where it really listens. */
  bound: { address: string; port: number };
  allowHosts?: readonly string[];
  /** Default `http`. */
  scheme?: 'http' | 'https';
  /** A proxy in front speaks https for it, under the allowed names. */
  behindProxy?: boolean;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine can reach it. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);
}

export function createAddress({
  host,
  bound,
  allowHosts = [],
  scheme = 'http',
  behindProxy = false,
}: AddressOptions): Address {
  const name = bracketed(nameOf(host, bound.address));
  const url = new URL(`${scheme}://${name}:${bound.port}`);
  const names = LOOPBACK.includes(url.hostname) ? [...allowHosts] : [url.hostname, ...allowHosts];
  const isNamed = (asked: string): boolean => names.includes(hostName(asked)) || names.includes(asked);
  const isHome = (asked: string): boolean => asked === url.host || isNamed(asked);
  // Browsers keep keys for https only; a proxy has a port of its own.
  const isReached = scheme === 'https' || behindProxy;
  const port = scheme === 'https' ? `:${bound.port}` : '';
  const allowed = allowHosts.map((name) => (/:\d+$/.test(name) ? name : `${name}${port}`));
  const others = LOOPBACK.includes(url.hostname)
    ? allowed
    : behindProxy
      ? [...allowed, url.host]
      : [url.host, ...allowed];
  const elsewhere = isReached ? others.map((name) => `https://${name}`) : [];
  return {
    url: url.origin,
    front: (behindProxy ? elsewhere[0] : undefined) ?? url.origin,
    isBehindProxy: behindProxy,
    elsewhere,
    isHereAlone: isLoopback(host),
    answersTo: (asked) => LOOPBACK.includes(hostName(asked)) || isHome(asked),
    isHome,
    isOurs(origin) {
      if (origin === url.origin) return true;
      const { protocol, host: asked } = parsed(origin) ?? {};
      return asked !== undefined && /^https?:$/.test(protocol ?? '') && isNamed(asked);
    },
  };
}

/** A name that means this machine is written as the address that is listened on, so that nothing else can be reached by it. */
function nameOf(host: string, address: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '::1';
  return host === 'localhost' ? address : host;
}

const bracketed = (name: string): string => (name.includes(':') ? `[${name}]` : name);

/** Without the port. */
function hostName(host: string): string {
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':')[0] ?? '');
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
