/**
 * By which names the server may be called, and under which one its page lives. There is one home for browsers, because what a browser
 * keeps belongs to an origin: under another name of this machine somebody else may listen on the same port.
 */

export interface Address {
  /** Of the page, and of the server for programs. */
  readonly url: string;
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
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export function createAddress({ host, bound, allowHosts = [] }: AddressOptions): Address {
  const name = bracketed(nameOf(host, bound.address));
  const url = new URL(`http://${name}:${bound.port}`);
  const names = LOOPBACK.includes(url.hostname) ? [...allowHosts] : [url.hostname, ...allowHosts];
  const isNamed = (asked: string): boolean => names.includes(hostName(asked)) || names.includes(asked);
  const isHome = (asked: string): boolean => asked === url.host || isNamed(asked);
  return {
    url: url.origin,
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
