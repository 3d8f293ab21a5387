/** Where tokens are made: in the store that the hubs use, or at one of these hubs by who may administer there. */
import type { NewTokenReply, TokenRequest } from '../../../client/index.js';
import { createToken } from '../../../server/new-token.js';
import type { Scope } from '../../../server/principal.js';
import { fleetOf } from '../../../server/token-routes.js';
import type { AuditEntry, Store, TokenRecord } from '../../../store/index.js';
import type { StoreFlag } from '../../flag/store-flag.js';
import { hubIn, orRefusal } from '../../hub.js';
import { whoIsHere } from '../../kept/who-is-here.js';
import { withStore } from '../../kept/with-store.js';

export interface TokenDesk {
  create(wish: TokenRequest): Promise<NewTokenReply>;
  list(): Promise<TokenRecord[]>;
  revoke(token: TokenRecord): Promise<void>;
  audit(limit: number): Promise<readonly AuditEntry[]>;
}

export async function withTokenDesk<Result>(
  flags: StoreFlag,
  process: Pick<NodeJS.Process, 'env' | 'stderr'>,
  work: (desk: TokenDesk) => Promise<Result>,
): Promise<Result> {
  const hub = await hubIn(flags, process);
  if (!hub) return withStore(flags, async (store) => work(deskIn(store)));
  const { client } = hub;
  return work({
    create: (wish) => orRefusal(client.createToken(wish)),
    list: () => orRefusal(client.tokens()),
    revoke: ({ id }) => orRefusal(client.revokeToken(id)),
    audit: async (limit) => (await orRefusal(client.audit({ limit }))).items,
  });
}

function deskIn(store: Store): TokenDesk {
  const fleet = fleetOf(store);
  return {
    create: (wish) => createToken(fleet, { ...wish, scopes: wish.scopes as Scope[] }, whoIsHere()),
    list: () => fleet.tokens.list(),
    async revoke({ id, name }) {
      if (await fleet.tokens.revoke(id))
        await fleet.audit.add({ principal: whoIsHere(), deed: 'token revoke', subject: id, detail: name });
    },
    audit: async (limit) => (await fleet.audit.list({ limit })).items,
  };
}
