/** Which hub a command talks to, and with what: the token comes from a file or the environment, never from an argument or an address. */
import { readFile, stat } from 'node:fs/promises';
import { type Client, createClient } from '../client/index.js';
import { GlassboxError } from '../event/index.js';
import { requireSafeUrl } from '../store/index.js';
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
