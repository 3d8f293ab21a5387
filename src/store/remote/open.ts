/** A store at a hub: for runners, which have a token and no password of a database. */
import { randomUUID } from 'node:crypto';
import { refuseUnknown } from '../../event/option.js';
import { hostId } from '../host.js';
import { requireSafeUrl } from '../location.js';
import { oneAtATime } from '../shell/one-at-a-time.js';
import { storeOver } from '../shell/store-over.js';
import type { Store } from '../store.js';
import { HEARTBEAT_MS } from '../table/owner-row.js';
import { createHubDoor, type HubOptions } from './hub-door.js';

export interface OpenHubOptions extends HubOptions {
  /** Of runs that an earlier process claimed, by their ids. */
  epochs?: ReadonlyMap<string, number>;
}

/** Asks nothing of the hub yet: whoever begins while it is away goes on when it is back. */
export function openHub(options: OpenHubOptions): Store {
  refuseUnknown('openHub', options, { url: true, token: true, epochs: true });
  const { url, token, epochs } = options;
  const address = requireSafeUrl(url);
  const door = createHubDoor({ url: address, token });
  const by = { id: randomUUID(), host: hostId(), pid: process.pid };
  const held = new Map(epochs ?? []);
  const timer = setInterval(oneAtATime(beat), HEARTBEAT_MS);
  // Nobody stays alive to say that he lives.
  timer.unref();
  const { door: _, ...store } = storeOver(door, {
    location: address,
    by,
    epochs,
    onHeld: (runId, epoch) => (epoch === undefined ? held.delete(runId) : held.set(runId, epoch)),
  });
  return {
    ...store,
    close() {
      clearInterval(timer);
      return store.close();
    },
  };

  /** A beat that fails is repeated soon; the next real call reports the failure. */
  async function beat(): Promise<void> {
    if (held.size === 0) return;
    const runs = [...held].map(([runId, epoch]) => ({ runId, epoch }));
    const lost = await door.call('beatFor', runs).catch(() => []);
    for (const runId of lost) held.delete(runId);
  }
}
