/** Who is at the other end of a connection: whether it is somebody inside a run, and whose program it is, where that can be known (Linux, this machine). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { findInsiders } from '../run/index.js';

export type Peer = 'outside' | { inside: string };

const found = new WeakMap<Socket, Promise<Peer>>();

/** Looked up once for each connection: it stays with who opened it, and to look takes longer than most requests. */
export function peerOf(connection: Socket): Promise<Peer> {
  const known = found.get(connection) ?? findPeer(connection);
  found.set(connection, known);
  return known;
}

async function findPeer(connection: Socket): Promise<Peer> {
  const inode = otherEnd(connection)?.inode;
  if (inode === undefined) return 'outside';
  // Who sends and leaves at once does not want to be seen.
  if (inode === '0') return { inside: 'unknown' };
  for (const [pid, run] of await findInsiders()) if (holds(pid, inode)) return { inside: run };
  return 'outside';
}

/** A name for the user of this machine whose program it is; all whose user cannot be known share one, as do all who come through a proxy. */
export function userOf(connection: Socket, { isBehindProxy }: { isBehindProxy: boolean }): string {
  return isBehindProxy ? 'proxy' : (otherEnd(connection)?.user ?? 'unknown');
}

interface End {
  user: string;
  inode: string;
}

function otherEnd({ remoteAddress = '', remotePort, localPort }: Socket): End | undefined {
  if (process.platform !== 'linux' || !LOOPBACK.test(remoteAddress)) return undefined;
  // The kernel walks through all ports there could be for each table, which takes longer than everything else that a request needs.
  for (const table of ['tcp', 'tcp6']) {
    const end = socketIn(readNow(`/proc/net/${table}`), remotePort, localPort);
    if (end) return end;
  }
  return undefined;
}

/** The socket that has these two ports, its own first, from the text of /proc/net/tcp. */
export function socketIn(table: string, own: number | undefined, other: number | undefined): End | undefined {
  const [local, remote] = [hex(own), hex(other)];
  for (const line of table.split('\n')) {
    const [, from, to, , , , , user = '', , inode = ''] = line.trim().split(/\s+/);
    if (from?.endsWith(`:${local}`) && to?.endsWith(`:${remote}`)) return { user, inode };
  }
  return undefined;
}

const LOOPBACK = /^(::1|(::ffff:)?127\.)/;

function hex(port = 0): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

function holds(pid: number, inode: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`);
  } catch {
    return false;
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

function readNow(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
