/**
 * Who asks: a name, and what it may do. Whoever lets somebody in makes one of these, and routes know nothing else about them;
 * a new way in is another issuer.
 */

import type { Decider } from '../event/index.js';

/**
 * `view` reads; `operate` interrupts, ends and removes; `approve` answers an agent's questions; `run` starts agents and speaks to
 * them; `administer` decides who else comes in; `work` takes jobs and writes runs of its own, and nothing else.
 */
export const SCOPES = ['view', 'operate', 'approve', 'run', 'administer', 'work'] as const;

export type Scope = (typeof SCOPES)[number];

export interface Principal {
  /** For people; stands beside what it decides. */
  readonly name: string;
  readonly via: 'page' | 'program';
  readonly scopes: ReadonlySet<Scope>;
  /** The projects for which it has them, by name; absent: everything. */
  readonly projects?: readonly string[];
  /** Why it may do less here than elsewhere, for people. */
  readonly limit?: string;
  /** False once it was sent away, which also ends what it watches. */
  isKnown(): boolean | Promise<boolean>;
}

/** Who asks, as the record of a run names it. */
export function personOf({ name, via }: Principal): Decider {
  return { by: 'person', who: name, via };
}

/** What an issuer may look at. */
export interface Credentials {
  authorization: string;
  /** Where the browser says that the request comes from. */
  origin: string | undefined;
  method: string;
  /** Path and query as they came. */
  target: string;
  body(): Promise<ArrayBuffer>;
}

/** Absent: not of its kind. `stale`: signed for an earlier start of the server; to be signed again. */
export type Issuer = (credentials: Credentials) => Promise<Principal | 'stale' | 'unknown' | undefined>;

/** On a server that only shows: to look, and to let others look. */
export function readingOnly(principal: Principal): Principal {
  const scopes = new Set([...principal.scopes].filter((scope) => scope === 'view' || scope === 'administer'));
  return { ...principal, scopes, limit: 'This server is read-only. Start it without --read-only to do this.' };
}

/** Over plain http beyond this machine: whoever reads along could do the same. */
export function lookingOnly(principal: Principal): Principal {
  const scopes = new Set([...principal.scopes].filter((scope) => scope === 'view'));
  return {
    ...principal,
    scopes,
    limit: 'This server speaks plain http to other machines (--insecure), so it only shows.',
  };
}
