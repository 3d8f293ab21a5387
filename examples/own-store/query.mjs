// Questions to the store: which sessions, which words, what was spent, what was not known.
import { GlassboxError } from 'glassbox';
import {
  addUsage,
  costOf,
  documentOf,
  foldWord,
  hasSpent,
  makeSnippet,
  ORIGINS,
  parseTerms,
  SEARCH_FIELDS,
  sumFigures,
  wordsIn,
} from 'glassbox/store';
import { isEmpty, latestRunOf, present, runsOf, sessionOf } from './memory.mjs';

/** The session that a person means. */
export function findSession(memory, ref) {
  if (ref === 'latest') return all(memory, { begun: true })[0]?.session;
  const run = memory.runs.get(ref);
  if (run) return run.session;
  const id = ref.toLowerCase();
  const exact = memory.sessions.find((session) => session.id === id);
  if (exact) return exact.mergedInto ?? exact;
  // An agent may call its session whatever it likes, so that it must not take the place of another one.
  const called = latestRunOf(memory, ref)?.session;
  const begun = [
    ...(called ? [called] : []),
    ...(id === '' ? [] : memory.sessions.filter((session) => session.id.startsWith(id))),
  ];
  const found = [...new Set(begun.map((session) => session.mergedInto ?? session))];
  if (found.length > 1)
    throw new GlassboxError('conflict', `Several sessions begin with "${ref}". Type more of the id.`);
  return found[0];
}

/** Sessions that the filter means, with their records, the last active first. */
function all(memory, filter = {}) {
  return memory.sessions
    .map((session) => ({ session, record: sessionOf(memory, session) }))
    .filter(({ session, record }) => record && isMeant(memory, session, record, filter))
    .sort((one, other) => other.record.updatedAt - one.record.updatedAt || other.session.no - one.session.no);
}

function isMeant(
  memory,
  session,
  record,
  { agent, project, projects, state, outcome, begun, pinned, archived, since, until, minUsd, maxUsd },
) {
  const directory = project?.replace(/(?<=.)[\\/]+$/, '');
  const isBelow = (cwd = '') =>
    cwd === directory || [`${directory}/`, `${directory}\\`].some((top) => cwd.startsWith(top));
  return (
    (agent === undefined || record.agent === agent) &&
    (directory === undefined || isBelow(record.cwd)) &&
    (projects === undefined || record.runs.some((run) => projects.includes(run.project))) &&
    (state === undefined || record.state === state) &&
    (outcome === undefined || (record.state === 'ended' && record.outcome === outcome)) &&
    (since === undefined || record.updatedAt >= since) &&
    (until === undefined || record.startedAt < until) &&
    (minUsd === undefined || record.spent?.usd >= minUsd) &&
    (maxUsd === undefined || record.spent?.usd <= maxUsd) &&
    (pinned === undefined || pinned === (record.pinned === true)) &&
    (archived === undefined || archived === (record.archived === true)) &&
    (!begun || runsOf(memory, session).some((run) => !isEmpty(run)))
  );
}

export function list(memory, { text = '', limit = 50, cursor, ...filter } = {}) {
  const words = text.toLowerCase();
  const says = ({ title, runs }) =>
    [title, ...runs.flatMap(({ prompt, cwd }) => [prompt, cwd])].some((part) => part?.toLowerCase().includes(words));
  const sessions = all(memory, filter).filter(({ record }) => words === '' || says(record));
  return pageOf(
    sessions.map(({ record }) => record),
    limit,
    cursor,
  );
}

function pageOf(items, limit, cursor = '0') {
  if (!/^\d+$/.test(cursor)) throw new GlassboxError('invalid-request', 'This is no cursor of an earlier page.');
  const end = Number(cursor) + limit;
  return { items: items.slice(Number(cursor), end), ...(end < items.length && { cursor: String(end) }) };
}

/** A prompt says more about a session than the output of a tool. */
const WEIGHTS = { prompt: 8, text: 4, thinking: 1, input: 2, output: 1 };
const MOST_HITS = 3;

export function search(memory, { text, tool, fields = SEARCH_FIELDS, order, limit = 20, cursor, ...filter }) {
  const terms = parseTerms(text);
  if (terms.every(({ not }) => not))
    throw new GlassboxError('invalid-request', 'A search needs a word that must occur.');
  const found = all(memory, filter)
    .map(({ session, record }) => ({ record, hits: runsOf(memory, session).flatMap((run) => hitsIn(run)) }))
    .filter(({ hits }) => hits.length > 0);
  if (order !== 'newest') found.sort((one, other) => weightOf(other.hits[0]) - weightOf(one.hits[0]));
  const matches = found.map(({ record, hits }) => ({
    session: record,
    events: hits.length,
    hits: hits.slice(0, MOST_HITS),
  }));
  const events = matches.reduce((sum, match) => sum + match.events, 0);
  return { ...pageOf(matches, limit, cursor), sessions: matches.length, events };

  function hitsIn(run) {
    const names = new Map();
    const hits = run.events.flatMap((event) => {
      const { type, seq, at, runId } = event;
      if (type === 'tool-start') names.set(event.id, event.name);
      const document = documentOf(event);
      if (!document || !fields.includes(document.field) || !isFound(terms, document.text)) return [];
      const called = type === 'tool-input-end' || type === 'tool-end' ? names.get(event.id) : undefined;
      if (tool !== undefined && called !== tool) return [];
      return [
        { runId, seq, at, type, field: document.field, tool: called, snippet: makeSnippet(document.text, terms) },
      ];
    });
    return hits.sort((one, other) => weightOf(other) - weightOf(one));
  }
}

const weightOf = ({ field }) => WEIGHTS[field];

function isFound(terms, text) {
  const words = wordsIn(text).map(([word]) => foldWord(word));
  const begins = ({ words: wanted, prefix }, at) =>
    wanted.every((word, index) => {
      const said = words[at + index] ?? '';
      return prefix && index === wanted.length - 1 ? said.startsWith(word) : said === word;
    });
  return terms.every((term) => words.some((_, at) => begins(term, at)) !== term.not);
}

const dayOf = (at) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

const KEYS = {
  day: ({ at }) => dayOf(at),
  week({ at }) {
    const monday = new Date(at);
    monday.setDate(monday.getDate() - ((monday.getDay() + 6) % 7));
    return dayOf(monday.getTime());
  },
  month: ({ at }) => dayOf(at).slice(0, 7),
  session: (_, run) => run.session.id,
  project: (_, run) => run.start.cwd ?? run.summary.cwd ?? '',
  agent: (_, run) => run.start.agent,
  model: ({ model }) => model,
  tool: ({ name }) => name,
  cause: ({ cause }) => cause,
};

export function totals(memory, { by, since = -Infinity, until = Infinity, ...filter }) {
  const sums = new Map();
  for (const { session } of all(memory, filter)) {
    for (const run of runsOf(memory, session)) {
      for (const part of partsOf(run, by)) {
        if (part.at < since || part.at >= until) continue;
        const key = KEYS[by](part, run);
        const sum = sums.get(key) ?? { key, usage: {}, sessions: new Set(), weakness: isShare(by) ? 1 : 0 };
        sums.set(key, add(sum, part, run));
      }
    }
  }
  const order = (one, other) => (other.usd ?? -1) - (one.usd ?? -1) || (one.key < other.key ? -1 : 1);
  return [...sums.values()]
    .sort(/day|week|month/.test(by) ? (one, other) => (one.key < other.key ? -1 : 1) : order)
    .map(totalOf);
}

const isShare = (by) => by === 'tool' || by === 'cause';

function partsOf(run, by) {
  if (by === 'cause') return run.causes;
  return by === 'tool' ? run.calls : run.charges;
}

/** What each agent told last of its account's limits. */
export function limits(memory) {
  const told = [...memory.runs.values()].flatMap(({ start: { agent }, summary: { limits: last } }) =>
    (last?.windows ?? []).map((window) => ({ agent, ...window, at: last.at })),
  );
  const latest = new Map();
  for (const limit of told.sort((one, other) => one.at - other.at)) latest.set(`${limit.agent} ${limit.name}`, limit);
  return [...latest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, limit]) => limit);
}

/** A sum is only as sure as the least sure of its runs. */
function add(sum, { usd, usage, calls, failed }, run) {
  const { ledger } = run.summary;
  const origin = costOf(ledger)?.origin ?? (hasSpent(ledger) ? 'lower-bound' : 'reported');
  return {
    ...sum,
    usd: usd === undefined ? sum.usd : (sum.usd ?? 0) + usd,
    usage: addUsage(sum.usage, usage),
    sessions: sum.sessions.add(run.session),
    weakness: Math.max(sum.weakness, ORIGINS.indexOf(origin)),
    calls: calls === undefined ? sum.calls : (sum.calls ?? 0) + calls,
    failed: failed === undefined ? sum.failed : (sum.failed ?? 0) + failed,
  };
}

function totalOf({ key, usd, usage, sessions, weakness, calls, failed }) {
  const spent = usd === undefined ? undefined : sumFigures([{ usd, scope: 'session', origin: ORIGINS[weakness] }]);
  return present({ key, spent, usage, sessions: sessions.size, calls, failed });
}

export function drift(memory, { since = -Infinity } = {}) {
  const found = new Map();
  for (const { start, summary, events } of memory.runs.values()) {
    const seen = new Set();
    for (const { type, wireType, wireSubtype, field, count: times = 1 } of summary.updatedAt < since ? [] : events) {
      if (type !== 'unknown') continue;
      const kind = wireSubtype === undefined ? wireType : `${wireType}/${wireSubtype}`;
      const what = present({ agent: start.agent, agentVersion: summary.agentVersion, kind, field });
      const key = JSON.stringify(what);
      const { count = 0, runs = 0, lastAt = 0 } = found.get(key) ?? {};
      const isNew = !seen.has(key);
      seen.add(key);
      found.set(key, {
        ...what,
        count: count + times,
        runs: runs + (isNew ? 1 : 0),
        lastAt: Math.max(lastAt, summary.updatedAt),
      });
    }
  }
  const nameOf = ({ agent, agentVersion = '', kind, field = '' }) => [agent, agentVersion, kind, field].join('\0');
  return [...found.values()].sort((one, other) => other.count - one.count || (nameOf(one) < nameOf(other) ? -1 : 1));
}
