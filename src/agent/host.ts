/** The host in an address, as programs that fetch it would read it. */

/** Absent where there is none, as in a path or in `data:`. */
export function hostIn(address: string): string | undefined {
  // Programs leave these out before they read, so they must not hide a host.
  const text = address.replace(/[\t\n\r]/g, '').trim();
  const [, scheme, authority] = /^(?:([a-z][a-z0-9+.-]*):)?[/\\]{2}([^/\\?#]*)/i.exec(text) ?? [];
  if (authority !== undefined) return scheme?.toLowerCase() === 'file' ? undefined : hostOf(authority);
  // People, and models, leave the scheme out.
  const bare = /^[^\s/\\?#:@]+\.[a-z][a-z0-9-]+(?=[/\\?#:]|$)|^localhost(?=[/\\?#:]|$)/i.exec(text)?.[0];
  return bare === undefined ? undefined : hostOf(bare);
}

/** The hosts of all addresses in a text. */
export function hostsIn(text: string): string[] {
  return [...text.matchAll(ADDRESS)].flatMap(([address]) => hostIn(`any${address}`) ?? []);
}

/** From behind its scheme on: a search for schemes would look at each long word once for each of its letters. */
const ADDRESS = /(?<=[a-z0-9+.-])(?<!(?<![a-z0-9+.-])file):\/\/[^\s"'<>)\]}]+/gi;

/** Without the user in front and the port behind. */
function hostOf(authority: string): string | undefined {
  const place = authority.slice(authority.lastIndexOf('@') + 1);
  const host = (place.startsWith('[') ? /^\[[^\]]*\]/.exec(place)?.[0] : place.split(':')[0]) ?? '';
  return host === '' ? undefined : host.toLowerCase();
}
