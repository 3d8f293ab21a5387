/** Hosts that a command names in addresses, where that is sure: whatever a shell would still put together is left out. */

const SCHEME = /(?<![\w+.-])(?:https?|wss?|ftps?|sftp|ssh|git):\/\//gi;
/** Names of hosts have at most 253 letters; before one may stand who logs in. */
const LONGEST = 320;
const AUTHORITY = /^[\w.~:@%+[\]-]*/;
/** Behind a quote the word must end: shells join what touches. */
const ENDED = /^(?:$|[\s/?#;|&<>)]|['"`](?:$|[\s;|&<>),\]}]))/;
const NAME = /^[a-z0-9_][a-z0-9_.-]*$/;
const NUMBERED = /^\[[0-9a-f:.]+\]$/;

/** Each once, in the order of the command. */
export function namedHosts(command: string): string[] {
  const hosts = new Set<string>();
  for (const { index, 0: scheme } of command.matchAll(SCHEME)) {
    const host = hostAt(command, index + scheme.length);
    if (host !== undefined) hosts.add(host);
  }
  return [...hosts];
}

function hostAt(command: string, from: number): string | undefined {
  const rest = command.slice(from, from + LONGEST);
  const [authority = ''] = AUTHORITY.exec(rest) ?? [];
  if (authority.length === LONGEST || !ENDED.test(rest.slice(authority.length))) return undefined;
  // What stands before the last `@` only looks like one.
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase();
  return (NAME.test(host) && !host.includes('..')) || NUMBERED.test(host) ? host : undefined;
}
