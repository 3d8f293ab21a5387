/** The secrets of this start of the server, and the one that certifies pages until somebody has to be shut out. */
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { randomText } from '../proof/index.js';
import { readPrivately, writePrivately } from './private-file.js';

export interface ServerSecrets {
  /** Public; signed requests name it, so that they are worth nothing at the next start. */
  boot(): string;
  /** Stands only in documents that a window of its own loaded from here; for a program of another user it is another one. */
  ticket(user: string): string;
  /** Stays over a start: pages that are open go on. */
  epoch(): string;
  /** Every page has to be loaded again. */
  renew(): void;
}

/** Without a folder the epoch ends with the server. */
export function openServerSecrets(folder?: string): ServerSecrets {
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
    ticket: (user) => createHmac('sha256', now.secret).update(user).digest('base64url'),
    epoch: () => epoch,
    renew() {
      now = begin();
      epoch = makeEpoch();
    },
  };
}
