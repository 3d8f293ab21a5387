/** `glassbox token`: makes, lists and revokes tokens, and tells who did what. */
import { writeFile } from 'node:fs/promises';
import { formatAgo } from '../../../client/moment.js';
import { GlassboxError } from '../../../event/index.js';
import type { TokenRecord } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safe } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { fittedTable } from '../../print/table.js';
import type { TokenFlags, TokenVerb } from './command.js';
import { type TokenDesk, withTokenDesk } from './token-desk.js';

const LIFE_MS = 90 * 86_400_000;

export async function changeTokens(this: Context, flags: TokenFlags, verb: TokenVerb, named?: string): Promise<void> {
  const { process } = this;
  if (verb === 'create' || verb === 'revoke') await refuseInsideRun('decide who comes in', flags);
  await withTokenDesk(flags, process, async (desk) => {
    if (verb === 'create') return create(desk, flags, named, process);
    if (verb === 'revoke') return revoke(desk, named, process);
    return verb === 'list' ? list(desk, flags, process) : audit(desk, flags, process);
  });
}

async function create(
  desk: TokenDesk,
  flags: TokenFlags,
  name: string | undefined,
  { stdout, stderr }: NodeJS.Process,
): Promise<void> {
  if (name === undefined)
    throw new GlassboxError('invalid-request', 'Say whose it is: glassbox token create ann --scope view');
  const { runner, project, scope = [], expires = LIFE_MS, out } = flags;
  if (runner && scope.length > 0)
    throw new GlassboxError('invalid-request', 'A runner does nothing but work: leave --scope out.');
  const wish = {
    name,
    scopes: runner ? ['work'] : scope,
    ...(project && { projects: project }),
    ...(expires > 0 && { lifeMs: expires }),
  };
  const { token, record } = await desk.create(wish);
  if (out !== undefined) {
    try {
      await writeFile(out, `${token}\n`, { mode: 0o600, flag: 'wx' });
    } catch (cause) {
      await desk.revoke(record);
      throw new GlassboxError(
        'write-failed',
        `The token could not be written to ${out}, and holds no longer. Name a new file.`,
        { cause },
      );
    }
    note(stderr, `${out} has the token of ${name}, ${about(record)}.`);
  } else if (flags.json) await print(stdout, [JSON.stringify({ token, ...record })]);
  else {
    await print(stdout, [token]);
    note(
      stderr,
      `that is the token of ${name}, ${about(record)}. It is not shown again. Keep it in a file for you alone (--out).`,
    );
  }
}

async function revoke(desk: TokenDesk, id: string | undefined, { stderr }: NodeJS.Process): Promise<void> {
  if (id === undefined)
    throw new GlassboxError(
      'invalid-request',
      'Say which one: glassbox token revoke ID. glassbox token list has them.',
    );
  const found = (await desk.list()).find((token) => token.id === id && token.revokedAt === undefined);
  if (!found) throw new GlassboxError('not-found', `There is no token ${id} that holds. glassbox token list has them.`);
  await desk.revoke(found);
  note(stderr, `the token of ${found.name} holds no longer; hubs notice within five seconds.`);
}

async function list(desk: TokenDesk, { json }: TokenFlags, { stdout, stderr }: NodeJS.Process): Promise<void> {
  const tokens = await desk.list();
  if (json) return print(stdout, [JSON.stringify(tokens)]);
  if (tokens.length === 0)
    return note(stderr, 'nobody has a token yet: glassbox token create ann --scope view,approve,run');
  const rows = tokens.map((token) =>
    [
      token.id,
      token.name,
      token.scopes.join(' '),
      token.projects?.join(' ') ?? 'all',
      stateOf(token),
      token.usedAt === undefined ? 'never used' : formatAgo(token.usedAt),
    ].map((text) => ({ text: safe(text) })),
  );
  const heads = ['Id', 'Name', 'May', 'Projects', 'Holds', 'Used'];
  const columns = heads.map((head, index) => ({ head, ...(index > 1 && index < 5 && { leaves: 10 - index }) }));
  return print(stdout, fittedTable(columns, rows, createPaint(false), stdout.columns));
}

async function audit(desk: TokenDesk, { json }: TokenFlags, { stdout, stderr }: NodeJS.Process): Promise<void> {
  const items = await desk.audit(100);
  if (json)
    return print(
      stdout,
      items.map((entry) => JSON.stringify(entry)),
    );
  if (items.length === 0) return note(stderr, 'nobody did anything that is noted yet.');
  const rows = items.map(({ at, principal, deed, subject = '', detail = '' }) =>
    [formatAgo(at), principal, deed, subject, detail].map((text) => ({ text: safe(text) })),
  );
  const columns = ['When', 'Who', 'Did', 'To', 'How'].map((head, index) => ({
    head,
    ...(index === 3 && { leaves: 1 }),
  }));
  return print(stdout, fittedTable(columns, rows, createPaint(false), stdout.columns));
}

function about({ scopes, projects, expiresAt }: TokenRecord): string {
  const may = scopes.includes('work') ? 'who takes jobs and writes its own runs' : `who may ${scopes.join(', ')}`;
  const where = projects ? ` for ${projects.join(', ')}` : '';
  const until =
    expiresAt === undefined ? 'until it is revoked' : `until ${new Date(expiresAt).toISOString().slice(0, 10)}`;
  return `${may}${where}, ${until}`;
}

function stateOf({ revokedAt, expiresAt, holds }: TokenRecord): string {
  if (revokedAt !== undefined) return 'revoked';
  if (!holds) return 'expired';
  return expiresAt === undefined ? 'until revoked' : `until ${new Date(expiresAt).toISOString().slice(0, 10)}`;
}
