/**
 * What a hook runs: a program of the system that brings what it is told to our socket, because starting Node would cost ten times as
 * much. Which one works here is tried, not guessed.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { HookMode } from '../agent/hooks.js';
import { SIGN_OF_LIFE } from './listener.js';

export interface Sender {
  /** For people. */
  name: string;
  /** How it is called; `socket` is quoted already. */
  call(socket: string, mode: HookMode): string;
}

/** Ours are known by this. */
const MARK = '# glassbox';

/** In seconds. A listener that does not even say that it is there is suspended or hangs: nobody waits for such a one. */
const PATIENCE = 5;
/** As programs write it. */
const SIGN = JSON.stringify(SIGN_OF_LIFE).slice(1, -1);

const nc = (socket: string, mode: HookMode) =>
  mode === 'watch' ? `nc -N -w 1 -U ${socket}` : `nc -w ${PATIENCE} -U ${socket} | tr -d '${SIGN}'`;

/** Without the modules of Perl, which take longer than the rest. Whoever waits keeps its side open, so that it is noticed when it is gone. */
const perl = (address: string) => (socket: string, mode: HookMode) =>
  `perl -e '$SIG{ALRM}=sub{exit};alarm ${PATIENCE};socket(S,1,1,0)&&connect(S,pack(${address},shift))||exit;$/=\\65536;select S;$|=1;print while<STDIN>;${
    mode === 'watch' ? '' : `while(sysread S,$_,65536){alarm ${PATIENCE};y/${SIGN}//d;print STDOUT}`
  }' ${socket}`;

/** The first that works is taken: `nc` of OpenBSD, as most distributions have it, or Perl, which a Mac has too. */
export const SENDERS: readonly Sender[] = [
  { name: 'nc', call: nc },
  { name: 'perl', call: process.platform === 'linux' ? perl('"Sa108",1') : perl('"CCa104",106,1') },
];

/**
 * The whole command. Inside a run of glassbox, or when nobody listens, nothing is started; whatever happens, it says nothing that was
 * not answered, and ends well: to some agents another status is an answer too.
 */
export function hookCommand(sender: Sender, socket: string, mode: HookMode): string {
  const quoted = `'${socket.replaceAll("'", `'\\''`)}'`;
  const silent = mode === 'watch' ? '>/dev/null 2>&1' : '2>/dev/null';
  return `[ -z "$GLASSBOX_RUN_ID" ] && [ -S ${quoted} ] && { ${sender.call(quoted, mode)}; } ${silent}; exit 0 ${MARK}`;
}

export function isOurs(command: string): boolean {
  return command.endsWith(` ${MARK}`);
}

/** The first that brings something over and back, in this folder; undefined when none does. */
export async function findSender(folder: string, senders = SENDERS): Promise<Sender | undefined> {
  for (const sender of senders) if (await works(sender, folder)) return sender;
  return undefined;
}

const [QUESTION, ANSWER] = ['{"glassbox":"works"}', '{"works":"here"}'];
const PATIENCE_MS = PATIENCE * 1000;
const DECIDING_MS = 50;

async function works(sender: Sender, folder: string): Promise<boolean> {
  const place = await mkdtemp(path.join(folder, 't-'));
  const socket = path.join(place, 's');
  let heard = 0;
  const server = createServer((connection) => reply(connection, () => (heard += 1)));
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
    const told = await say(hookCommand(sender, socket, 'watch'));
    return (await say(hookCommand(sender, socket, 'ask'))) === ANSWER && told === '' && heard === 2;
  } catch {
    return false;
  } finally {
    server.close();
    await rm(place, { recursive: true, force: true });
  }
}

function reply(connection: Socket, onHeard: () => void): void {
  let asked = '';
  connection.setEncoding('utf8').on('error', () => {});
  connection.on('data', (more: string) => {
    asked += more;
    if (asked !== QUESTION) return;
    onHeard();
    // Its end must not come before the answer, which takes its time.
    setTimeout(() => connection.end(ANSWER), DECIDING_MS);
  });
  connection.once('end', () => connection.end());
}

async function say(command: string): Promise<string> {
  const { GLASSBOX_RUN_ID: _, ...env } = process.env;
  const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'pipe', 'ignore'], timeout: PATIENCE_MS });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.end(QUESTION);
  return text(child.stdout);
}
