/**
 * What hubs over one store share so that a browser is known to all of them: their one key, ways in that wait to be used, guests at the door, the
 * browsers that were let in, and the pages that they opened. Of browsers and pages it has public halves only.
 */
import { numberOf, rowsOf, type Sql, type SqlRow } from './sql.js';

/** Those that belong to a store, not to a hub. */
export interface LoginSecrets {
  /** The hubs' key, both halves. */
  identity: string;
  boot: string;
  /** What tickets are made from. */
  ticket: string;
  epoch: string;
}

export interface LetInBrowser {
  id: string;
  name: string;
  origin: string;
  /** The public half of its key. */
  key: string;
  createdAt: number;
  usedAt: number;
}

export interface WaitingGuest {
  id: string;
  name: string;
  mark: string;
  since: number;
}

/** `link` lets in, `guest` lets wait. */
export type CodeKind = 'link' | 'guest';

export interface LoginTable {
  /** The first hub makes them. */
  secrets(make: () => Promise<LoginSecrets>): Promise<LoginSecrets>;
  renewSecrets(made: Omit<LoginSecrets, 'identity'>): Promise<void>;
  /** Of more than `most` of a kind the oldest are worth nothing any more. Gives the moment until which it is worth something. */
  addCode(code: { code: string; kind: CodeKind; lifeMs: number; most: number }): Promise<number>;
  codes(kind: CodeKind): Promise<string[]>;
  /** How long it would have lived, for the one who took it; absent for everybody else. */
  takeCode(code: string, kind: CodeKind): Promise<number | undefined>;
  addGuest(guest: Omit<WaitingGuest, 'since'>, lifeMs: number): Promise<void>;
  guests(): Promise<WaitingGuest[]>;
  /** False when nobody of this id waits for an answer. */
  answerGuest(id: string, isLetIn: boolean): Promise<boolean>;
  /** Absent while nobody answered. */
  guestAnswer(id: string): Promise<boolean | undefined>;
  removeGuest(id: string): Promise<void>;
  /** The one that was used last, first. */
  browsers(): Promise<LetInBrowser[]>;
  findBrowser(id: string): Promise<LetInBrowser | undefined>;
  addBrowser(browser: Pick<LetInBrowser, 'id' | 'name' | 'origin' | 'key'>): Promise<void>;
  /** It is here again. False when it was sent away. */
  touchBrowser(id: string): Promise<boolean>;
  forgetBrowser(id: string): Promise<boolean>;
  addPage(pageKey: string, browser: string): Promise<void>;
  /** True for each number of a page that was let in once, whichever hub hears it. */
  hear(pageKey: string, browser: string, count: number): Promise<boolean>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Who did not come for so long has to be let in again; a page that is still open then is loaded again. */
const FORGET_MS = 90 * DAY_MS;
const FORGET_PAGE_MS = 30 * DAY_MS;
const USED_MS = 60_000;
/** Requests of a page may overtake each other, but not by so many. */
const WINDOW = 1024;
const SWEEP_EVERY = 256;

export function createLoginTable(sql: Sql): LoginTable {
  const { now } = sql.dialect;
  const lives = `used_at >= ${now} - ${FORGET_MS}`;
  return {
    async secrets(make) {
      const look = 'select * from login_secret';
      const [found] = await rowsOf(sql, look);
      if (found) return secretsOf(found);
      const { identity, boot, ticket, epoch } = await make();
      const [, [row] = []] = await sql.all([
        {
          sql: `insert into login_secret (id, identity, boot, ticket, epoch) values (1, ?1, ?2, ?3, ?4) on conflict (id) do nothing`,
          values: [identity, boot, ticket, epoch],
        },
        { sql: look, values: [] },
      ]);
      return secretsOf(row ?? {});
    },
    async renewSecrets({ boot, ticket, epoch }) {
      await sql.all([
        { sql: 'update login_secret set boot = ?1, ticket = ?2, epoch = ?3', values: [boot, ticket, epoch] },
        { sql: 'delete from browser_request', values: [] },
        { sql: 'delete from browser_page', values: [] },
      ]);
    },
    async addCode({ code, kind, lifeMs, most }) {
      const [[row] = []] = await sql.all([
        {
          sql: `insert into login_code (code, kind, created_at, ends_at)
           values (?1, ?2, ${now}, ${now} + cast(?3 as bigint)) returning ends_at`,
          values: [code, kind, lifeMs],
        },
        {
          sql: `delete from login_code where ends_at <= ${now} or (kind = ?1 and code not in
             (select code from login_code where kind = ?1 order by created_at desc, code limit ${most}) and code <> ?2)`,
          values: [kind, code],
        },
      ]);
      return Number(row?.ends_at);
    },
    async codes(kind) {
      const rows = await rowsOf(sql, `select code from login_code where kind = ?1 and ends_at > ${now}`, kind);
      return rows.map((row) => String(row.code));
    },
    async takeCode(code, kind) {
      const taken = `delete from login_code where code = ?1 and kind = ?2 and ends_at > ${now} returning ends_at - ${now} as left_ms`;
      const [row] = await rowsOf(sql, taken, code, kind);
      return numberOf(row?.left_ms);
    },
    async addGuest({ id, name, mark }, lifeMs) {
      await sql.all([
        { sql: `delete from login_guest where ends_at <= ${now}`, values: [] },
        {
          sql: `insert into login_guest (id, name, mark, since, ends_at) values (?1, ?2, ?3, ${now}, ${now} + cast(?4 as bigint))`,
          values: [id, name, mark, lifeMs],
        },
      ]);
    },
    async guests() {
      const waiting = `select * from login_guest where let_in is null and ends_at > ${now} order by since, id`;
      return (await rowsOf(sql, waiting)).map(guestOf);
    },
    async answerGuest(id, isLetIn) {
      const answered = await rowsOf(
        sql,
        `update login_guest set let_in = ?2 where id = ?1 and let_in is null and ends_at > ${now} returning id`,
        ...[id, isLetIn ? 1 : 0],
      );
      return answered.length > 0;
    },
    async guestAnswer(id) {
      const [row] = await rowsOf(sql, 'select let_in from login_guest where id = ?1', id);
      const isLetIn = numberOf(row?.let_in);
      return isLetIn === undefined ? undefined : isLetIn === 1;
    },
    async removeGuest(id) {
      await rowsOf(sql, 'delete from login_guest where id = ?1', id);
    },
    async browsers() {
      return (await rowsOf(sql, `select * from browser where ${lives} order by used_at desc, id`)).map(browserOf);
    },
    async findBrowser(id) {
      const [row] = await rowsOf(sql, `select * from browser where id = ?1 and ${lives}`, id);
      return row && browserOf(row);
    },
    async addBrowser({ id, name, origin, key }) {
      await rowsOf(
        sql,
        `insert into browser (id, name, origin, key, created_at, used_at) values (?1, ?2, ?3, ?4, ${now}, ${now})`,
        ...[id, name, origin, key],
      );
    },
    async touchBrowser(id) {
      const touched = `update browser set used_at = ${now} where id = ?1 and ${lives} returning id`;
      return (await rowsOf(sql, touched, id)).length > 0;
    },
    async forgetBrowser(id) {
      const pages = 'select key from browser_page where browser = ?1';
      const [, , gone = []] = await sql.all([
        { sql: `delete from browser_request where page in (${pages})`, values: [id] },
        { sql: 'delete from browser_page where browser = ?1', values: [id] },
        { sql: 'delete from browser where id = ?1 returning id', values: [id] },
      ]);
      return gone.length > 0;
    },
    async addPage(pageKey, browser) {
      const old = `used_at < ${now} - ${FORGET_PAGE_MS}`;
      await sql.all([
        { sql: `delete from browser_request where page in (select key from browser_page where ${old})`, values: [] },
        { sql: `delete from browser_page where ${old}`, values: [] },
        {
          sql: `insert into browser_page (key, browser, used_at) values (?1, ?2, ${now}) on conflict (key) do nothing`,
          values: [pageKey, browser],
        },
      ]);
    },
    async hear(pageKey, browser, count) {
      const highest = '(select max(count) from browser_request where page = ?1)';
      const [heard = []] = await sql.all([
        {
          sql: `insert into browser_request (page, count)
           select browser_page.key, cast(?3 as bigint) from browser_page join browser on browser.id = browser_page.browser
           where browser_page.key = ?1 and browser.id = ?2 and cast(?3 as bigint) > coalesce(${highest}, 0) - ${WINDOW}
           on conflict do nothing returning count`,
          values: [pageKey, browser, count],
        },
        {
          sql: `update browser_page set used_at = ${now} where key = ?1 and used_at < ${now} - ${USED_MS}`,
          values: [pageKey],
        },
        ...(count % SWEEP_EVERY === 0
          ? [
              {
                sql: `delete from browser_request where page = ?1 and count <= ${highest} - ${WINDOW}`,
                values: [pageKey],
              },
            ]
          : []),
      ]);
      return heard.length > 0;
    },
  };
}

function secretsOf({ identity, boot, ticket, epoch }: SqlRow): LoginSecrets {
  return { identity: String(identity), boot: String(boot), ticket: String(ticket), epoch: String(epoch) };
}

function guestOf({ id, name, mark, since }: SqlRow): WaitingGuest {
  return { id: String(id), name: String(name), mark: String(mark), since: Number(since) };
}

function browserOf({ id, name, origin, key, created_at, used_at }: SqlRow): LetInBrowser {
  const texts = { id: String(id), name: String(name), origin: String(origin), key: String(key) };
  return { ...texts, createdAt: Number(created_at), usedAt: Number(used_at) };
}
