/** Tokens of people and programs: only their digests are kept, and whether one holds is judged by the clock of the database. */
import { defined } from '../../event/index.js';
import { namesOf, numberOf, rowsOf, type Sql, type SqlRow } from './sql.js';

export interface TokenRecord {
  /** Public; by it the token is named and revoked. */
  id: string;
  /** Of the principal that it makes. */
  name: string;
  scopes: string[];
  /** Absent: all of them. */
  projects?: string[];
  createdAt: number;
  createdBy: string;
  expiresAt?: number;
  revokedAt?: number;
  /** About. */
  usedAt?: number;
  /** Neither revoked nor too old. */
  holds: boolean;
}

export interface NewToken {
  id: string;
  name: string;
  /** SHA-256 of the token, in hexadecimal digits. */
  digest: string;
  scopes: readonly string[];
  projects?: readonly string[] | undefined;
  createdBy: string;
  /** Absent: it never expires by itself. */
  lifeMs?: number | undefined;
}

export interface TokenTable {
  add(token: NewToken): Promise<TokenRecord>;
  /** Whoever shows a token is known by its digest; notes that it was used. */
  find(digest: string): Promise<TokenRecord | undefined>;
  /** The newest first, also those that hold no longer. */
  list(): Promise<TokenRecord[]>;
  /** By its id. False when there is none that holds. */
  revoke(id: string): Promise<boolean>;
}

/** How exactly it is known when a token was used: not each request writes. */
const USED_MS = 60_000;

export function createTokenTable(sql: Sql): TokenTable {
  const { now } = sql.dialect;
  const holds = `case when revoked_at is null and (expires_at is null or expires_at > ${now}) then 1 else 0 end as holds`;
  return {
    async add({ id, name, digest, scopes, projects, createdBy, lifeMs }) {
      const [row] = await rowsOf(
        sql,
        `insert into token (id, name, digest, scopes, projects, created_at, created_by, expires_at)
         values (?1, ?2, ?3, ?4, ?5, ${now}, ?6, ${now} + cast(?7 as bigint)) returning *, ${holds}`,
        ...[id, name, digest, JSON.stringify(scopes), projects ? JSON.stringify(projects) : null],
        ...[createdBy, lifeMs ?? null],
      );
      return tokenOf(row ?? {});
    },
    async find(digest) {
      const [row] = await rowsOf(sql, `select *, ${holds} from token where digest = ?1`, digest);
      if (!row) return undefined;
      const token = tokenOf(row);
      const used = `update token set used_at = ${now} where id = ?1 and coalesce(used_at, 0) < ${now} - ${USED_MS}`;
      if (token.holds) await rowsOf(sql, used, token.id);
      return token;
    },
    async list() {
      return (await rowsOf(sql, `select *, ${holds} from token order by created_at desc, id`)).map(tokenOf);
    },
    async revoke(id) {
      const revoked = await rowsOf(
        sql,
        `update token set revoked_at = ${now} where id = ?1 and revoked_at is null returning id`,
        id,
      );
      return revoked.length > 0;
    },
  };
}

function tokenOf(row: SqlRow): TokenRecord {
  return defined<TokenRecord>({
    id: String(row.id),
    name: String(row.name),
    scopes: namesOf(row.scopes) ?? [],
    projects: namesOf(row.projects),
    createdAt: Number(row.created_at),
    createdBy: String(row.created_by),
    expiresAt: numberOf(row.expires_at),
    revokedAt: numberOf(row.revoked_at),
    usedAt: numberOf(row.used_at),
    holds: Number(row.holds) === 1,
  });
}
