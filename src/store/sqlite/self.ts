/** This process, as the store knows it. */
import { hostId } from '../host.js';
import { isAlive } from '../is-alive.js';
import type { Self } from '../table/owner-row.js';

/** The name of the host is a digest, whose first one costs more than most questions: it is made for who asks. */
export function describeSelf(): Self {
  let host: string | undefined;
  return {
    pid: process.pid,
    get host() {
      host ??= hostId();
      return host;
    },
    isAlive,
  };
}
