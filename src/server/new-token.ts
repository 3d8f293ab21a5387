/** Makes a token: shown once to whoever asked for it, and kept as a digest. */
import { randomBytes } from 'node:crypto';
import { GlassboxError } from '../event/index.js';
import { nearestOf } from '../event/option.js';
import type { FleetStore, TokenRecord } from '../store/index.js';
import { tokenDigest } from './kept-token-issuer.js';
import { SCOPES, type Scope } from './principal.js';

export interface TokenWish {
  name: string;
  scopes: readonly Scope[];
  projects?: readonly string[] | undefined;
  lifeMs?: number | undefined;
}

/** Who does nothing but work answers no questions: an agent must not be able to answer its own. */
const NOT_WITH_WORK: readonly Scope[] = ['approve', 'administer'];

export async function createToken(
  fleet: FleetStore,
  wish: TokenWish,
  by: string,
): Promise<{ token: string; record: TokenRecord }> {
  checkWish(wish);
  const token = `gb_${randomBytes(32).toString('base64url')}`;
  const id = randomBytes(6).toString('hex');
  const { name, scopes, projects, lifeMs } = wish;
  const record = await fleet.tokens.add({
    id,
    name,
    digest: tokenDigest(token),
    scopes,
    projects,
    createdBy: by,
    lifeMs,
  });
  const about = [scopes.join(' '), ...(projects ? [`for ${projects.join(' ')}`] : [])].join(', ');
  await fleet.audit.add({ principal: by, deed: 'token create', subject: id, detail: `${name}: ${about}` });
  return { token, record };
}

function checkWish({ name, scopes, projects }: TokenWish): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u.test(name))
    refuse('A token needs a name of up to 64 letters, digits and . _ @ -, by which people know who it is.');
  if (scopes.length === 0) refuse(`Say what it may do: ${SCOPES.join(', ')}.`);
  for (const scope of scopes) {
    if (SCOPES.includes(scope)) continue;
    refuse(
      `There is no scope "${scope}"; the nearest is "${nearestOf(scope, SCOPES)}". There are ${SCOPES.join(', ')}.`,
    );
  }
  const both = scopes.includes('work') ? NOT_WITH_WORK.filter((scope) => scopes.includes(scope)) : [];
  if (both.length > 0)
    refuse(
      `A worker's token cannot also have ${both.join(' and ')}: an agent that finds it could answer for the person.`,
    );
  if (projects && scopes.includes('administer'))
    refuse('Who administers decides about everybody, so that administer cannot be for some projects only.');
  if (projects?.length === 0) refuse('Name at least one project, or none to mean all of them.');
}

function refuse(message: string): never {
  throw new GlassboxError('invalid-request', message);
}
