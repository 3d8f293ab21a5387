/** For a server that is alone: the secrets of this start, so that what was signed is worth nothing at the next one, and the one that certifies pages until somebody has to be shut out. */
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { randomText } from '../proof/index.js';
import type { Secrets } from './lobby.js';
import { readPrivately, writePrivately } from './private-file.js';

/** Without a folder the epoch ends with the server. */
export function openServerSecrets(folder?: string) {
  const file = folder === undefined ? undefined : path.join(folder, 'epoch');
  const begin = () => ({ boot: randomText(), secret: randomText() });
  const makeEpoch = (): string => {
    const made = randomText();
    if (file !== undefined) writePrivately(file, made);
    return made;
  };
  let now = begin();
  let epoch = (file === undefined ? undefined : readPrivately(file)) || makeEpoch();
  return {
    boot: () => now.boot,
    ticket: (user: string): string => createHmac('sha256', now.secret).update(user).digest('base64url'),
    epoch: () => epoch,
    renew() {
      now = begin();
      epoch = makeEpoch();
    },
  } satisfies Secrets;
}
