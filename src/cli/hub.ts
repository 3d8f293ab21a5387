/** Which hub a command talks to, and with what: the token comes from a file or the environment, never from an argument or an address. */
import { readFile, stat } from 'node:fs/promises';
import { type Client, ClientError, createClient } from '../client/index.js';
import { GlassboxError } from '../event/index.js';
import { requireSafeUrl } from '../store/index.js';
import { placeOf } from '../store/location.js';
import type { StoreFlag } from './flag/store-flag.js';
import { note } from './print/note.js';

export interface HubFlags {
  readonly hub?: string;
  readonly tokenFile?: string;
}

export interface Hub {
  url: string;
  token: string;
  client: Client;
}

export async function hubFrom(flags: HubFlags, { env, stderr }: Pick<NodeJS.Process, 'env' | 'stderr'>): Promise<Hub> {
  const said = flags.hub ?? env.GLASSBOX_HUB;
  if (!said) throw new GlassboxError('invalid-request', 'Say which hub: --hub https://hub.example, or GLASSBOX_HUB.');
  const url = requireSafeUrl(said);
  const token = await tokenFrom(flags.tokenFile ?? env.GLASSBOX_HUB_TOKEN_FILE, env.GLASSBOX_HUB_TOKEN, stderr);
  return { url, token, client: createClient({ url, token }) };
}

/** The hub that a command means by `--store`; nothing where that is a file or a database. */
export async function hubIn(
  { store }: StoreFlag,
  process: Pick<NodeJS.Process, 'env' | 'stderr'>,
): Promise<Hub | undefined> {
  const place = placeOf(store);
  return place.kind === 'hub' ? hubFrom({ hub: place.url }, process) : undefined;
}

/** What a hub refuses is told as what this command refuses. */
export async function orRefusal<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ClientError && error.status < 500)
      throw new GlassboxError(CODES[error.status] ?? 'forbidden', `The hub refused it: ${error.message}`);
    if (error instanceof ClientError)
      throw new GlassboxError('store', `The hub cannot do it now: ${error.message}`, { cause: error });
    if (error instanceof TypeError)
      throw new GlassboxError('read-failed', 'The hub does not answer. Is its address right, and does it run?', {
        cause: error,
      });
    throw error;
  }
}

const CODES: Record<number, 'unauthorized' | 'not-found'> = { 401: 'unauthorized', 404: 'not-found' };

async function tokenFrom(
  file: string | undefined,
  said: string | undefined,
  stderr: NodeJS.WriteStream,
): Promise<string> {
  if (file === undefined && !said)
    throw new GlassboxError(
      'unauthorized',
      'The hub wants a token: --token-file FILE, GLASSBOX_HUB_TOKEN_FILE or GLASSBOX_HUB_TOKEN. On the hub: glassbox token create.',
    );
  if (file === undefined) return said ?? '';
  const [text, { mode }] = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch((cause: unknown) => {
    throw new GlassboxError('read-failed', `The token could not be read from ${file}.`, { cause });
  });
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    note(stderr, `others on this machine can read the token in ${file}: chmod 600 ${file}`);
  const token = text.trim();
  if (token === '') throw new GlassboxError('read-failed', `The file ${file} is empty: it should hold the token.`);
  return token;
}
