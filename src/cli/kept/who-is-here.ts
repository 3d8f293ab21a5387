/** Who the audit list says it was: whoever can write the store's file is its administrator. */
import { hostname, userInfo } from 'node:os';

export function whoIsHere(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return hostname();
  }
}
