/** The tables of the fleet, in types that every database of ours knows. Only ever added to, as steps of its migrations. */
export const FLEET_TABLES = `
  create table token (
    id text primary key,
    name text not null,
    digest text not null unique,
    scopes text not null,
    projects text,
    created_at bigint not null,
    created_by text not null,
    expires_at bigint,
    revoked_at bigint,
    used_at bigint
  );

  -- Nobody changes or removes a row.
  create table audit (
    id text primary key,
    at bigint not null,
    principal text not null,
    deed text not null,
    subject text,
    project text,
    detail text
  );
  create index audit_at on audit (at, id);

  create table worker (
    name text primary key,
    principal text not null,
    labels text not null,
    projects text not null,
    agents text not null,
    capacity integer not null,
    busy integer not null,
    seen_at bigint not null
  );

  -- spec: what the worker is to do, exact; wiped when nobody will do it any more.
  create table job (
    id text primary key,
    state text not null,
    project text not null,
    principal text not null,
    agent text not null,
    spec text,
    host text,
    labels text not null,
    again integer not null,
    created_at bigint not null,
    fence integer not null,
    attempt integer not null,
    worker text,
    -- The principal of the worker that has it.
    holder text,
    lease_until bigint,
    cancelled_at bigint,
    run text,
    outcome text,
    reason text,
    ended_at bigint
  );
  create index job_state on job (state, created_at);
  -- Which runs a job became, and whose work it was.
  create table job_run (run text primary key, job text not null, principal text not null);
  create table job_label (job text not null, label text not null, primary key (job, label));

  create table budget (
    id text primary key,
    project text,
    principal text,
    period text not null,
    usd double precision not null,
    running text not null,
    unknown text not null
  );
`;

/** Only where several hubs share a store: elsewhere browsers are known to one machine, in files of its own. */
export const LOGIN_TABLES = `
  create table login_secret (
    id integer primary key check (id = 1),
    identity text not null,
    boot text not null,
    ticket text not null,
    epoch text not null
  );
  create table login_code (code text primary key, kind text not null, created_at bigint not null, ends_at bigint not null);
  create table login_guest (
    id text primary key,
    name text not null,
    mark text not null,
    since bigint not null,
    ends_at bigint not null,
    let_in integer
  );
  create table browser (
    id text primary key,
    name text not null,
    origin text not null,
    key text not null,
    created_at bigint not null,
    used_at bigint not null
  );
  create table browser_page (key text primary key, browser text not null, used_at bigint not null);
  create index browser_page_browser on browser_page (browser);
  -- Which requests of a page were heard: none is heard twice.
  create table browser_request (page text not null, count bigint not null, primary key (page, count));
`;
