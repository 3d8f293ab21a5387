/** Who did what, when: rows are added and read, and there is no way to change one. */
import { randomUUID } from 'node:crypto';
import { defined, GlassboxError } from '../../event/index.js';
import { type OptionNames, refuseUnknown } from '../../event/option.js';
import type { Page } from '../query.js';
import { rowsOf, type Sql, type SqlRow, textOf } from './sql.js';

export interface Deed {
  /** The name of who did it. */
  principal: string;
  /** What was done, a word or two: `approve`, `token create`. */
  deed: string;
  /** To what: the id of a run, a session, a job, a token. Never what was said. */
  subject?: string | undefined;
  project?: string | undefined;
  /** One line more: how it ended, which scopes. */
  detail?: string | undefined;
}

export interface AuditEntry {
  id: string;
  /** By the clock of the store. */
  at: number;
  principal: string;
  deed: string;
  subject?: string;
  project?: string;
  detail?: string;
}

export interface AuditQuery {
  principal?: string | undefined;
  subject?: string | undefined;
  /** Default 100. */
  limit?: number | undefined;
  /** From the page before. */
  cursor?: string | undefined;
}

export interface AuditTable {
  add(deed: Deed): Promise<void>;
  /** The latest first. */
  list(query?: AuditQuery): Promise<Page<AuditEntry>>;
}

const PAGE = 100;
const NAMES: OptionNames<AuditQuery> = { principal: true, subject: true, limit: true, cursor: true };

export function createAuditTable(sql: Sql): AuditTable {
  return {
    async add({ principal, deed, subject, project, detail }) {
      await rowsOf(
        sql,
        `insert into audit (id, at, principal, deed, subject, project, detail)
         values (?1, ${sql.dialect.now}, ?2, ?3, ?4, ?5, ?6)`,
        ...[randomUUID(), principal, deed, subject ?? null, project ?? null, detail ?? null],
      );
    },
    async list(query) {
      refuseUnknown('audit.list', query, NAMES);
      const { principal, subject, limit = PAGE, cursor } = query ?? {};
      const [at, id] = cursor === undefined ? [null, null] : parseCursor(cursor);
      const rows = await rowsOf(
        sql,
        `select * from audit
         where (cast(?1 as text) is null or principal = ?1) and (cast(?2 as text) is null or subject = ?2)
           and (cast(?3 as bigint) is null or at < ?3 or (at = ?3 and id < cast(?4 as text)))
         order by at desc, id desc limit ?5`,
        ...[principal ?? null, subject ?? null, at, id, limit + 1],
      );
      const items = rows.slice(0, limit).map(entryOf);
      const last = items.at(-1);
      return rows.length > limit && last ? { items, cursor: `${last.at}_${last.id}` } : { items };
    },
  };
}

function parseCursor(cursor: string): [number, string] {
  const [, at, id] = /^(\d+)_([\w-]+)$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new GlassboxError('invalid-request', 'This is no cursor of an earlier page.');
  return [Number(at), id];
}

function entryOf(row: SqlRow): AuditEntry {
  return defined<AuditEntry>({
    id: String(row.id),
    at: Number(row.at),
    principal: String(row.principal),
    deed: String(row.deed),
    subject: textOf(row.subject),
    project: textOf(row.project),
    detail: textOf(row.detail),
  });
}
