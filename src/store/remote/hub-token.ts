/** The token with which a hub knows us: from the environment or from a file, never from an argument or an address. */
import { readFileSync } from 'node:fs';
import { GlassboxError } from '../../event/index.js';

export function hubToken(env: Readonly<Record<string, string | undefined>>): string {
  const { GLASSBOX_HUB_TOKEN: token, GLASSBOX_HUB_TOKEN_FILE: file } = env;
  if (token) return token.trim();
  if (!file) {
    throw new GlassboxError(
      'unauthorized',
      'A hub lets in who has a token. Put it into GLASSBOX_HUB_TOKEN, or its file into GLASSBOX_HUB_TOKEN_FILE; whoever runs the hub makes one with glassbox token.',
    );
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new GlassboxError(
      'unauthorized',
      `The token of the hub cannot be read from ${file} (GLASSBOX_HUB_TOKEN_FILE). Check the path and its permissions.`,
      { cause: error },
    );
  }
}
