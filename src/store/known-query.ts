/** A store that refuses queries and options that the contract does not have, whatever keeps its data. */
import { type OptionNames, refuseUnknown } from '../event/option.js';
import type { DriftQuery, Filter, ListQuery, PruneQuery, SearchQuery, TotalsQuery } from './query.js';
import type { RunStart, SessionLabel } from './record.js';
import type { Store } from './store.js';

/** The store, which refuses queries and options that the contract does not have, and says when somebody inside a run tells another something. */
export function refuseUnknownQueries(store: Store): Store {
  return {
    ...store,
    async startRun(start) {
      refuseUnknown('startRun', start, START);
      return store.startRun(start);
    },
    tail(runId, options) {
      refuseUnknown('tail', options, { fromSeq: true, signal: true });
      return store.tail(runId, options);
    },
    async list(query) {
      refuseUnknown('list', query, LIST);
      return store.list(query);
    },
    watch(options) {
      refuseUnknown('watch', options, SIGNAL);
      return store.watch(options);
    },
    async search(query) {
      refuseUnknown('search', query, SEARCH);
      return store.search(query);
    },
    async totals(query) {
      refuseUnknown('totals', query, TOTALS);
      return store.totals(query);
    },
    async drift(query) {
      refuseUnknown('drift', query, DRIFT);
      return store.drift(query);
    },
    async decisions(query) {
      refuseUnknown('decisions', query, { since: true, limit: true });
      return store.decisions(query);
    },
    async tell(runId, instruction, from, options) {
      refuseUnknown('tell', options, { patienceMs: true });
      // The run refuses it and tells: nobody acts for the person from inside a run.
      const inside = from.inside ?? process.env.GLASSBOX_RUN_ID?.split('/').at(-1);
      return store.tell(runId, instruction, inside ? { ...from, inside } : from, options);
    },
    instructions(runId, options) {
      refuseUnknown('instructions', options, SIGNAL);
      return store.instructions(runId, options);
    },
    async label(sessionId, label) {
      refuseUnknown('label', label, LABEL);
      return store.label(sessionId, label);
    },
    async prune(query) {
      refuseUnknown('prune', query, PRUNE);
      return store.prune(query);
    },
  };
}

const FILTER: OptionNames<Filter> = {
  agent: true,
  project: true,
  projects: true,
  state: true,
  outcome: true,
  begun: true,
  pinned: true,
  archived: true,
  since: true,
  until: true,
  minUsd: true,
  maxUsd: true,
};
const PAGE = { limit: true, cursor: true } as const;
const LIST: OptionNames<ListQuery> = { ...FILTER, ...PAGE, text: true };
const SEARCH: OptionNames<SearchQuery> = { ...FILTER, ...PAGE, text: true, tool: true, fields: true, order: true };
const TOTALS: OptionNames<TotalsQuery> = { ...FILTER, by: true };
const DRIFT: OptionNames<DriftQuery> = { since: true };
const PRUNE: OptionNames<PruneQuery> = { maxAgeMs: true, maxBytes: true, dryRun: true };
const LABEL: OptionNames<SessionLabel> = { name: true, pinned: true, archived: true };
const SIGNAL = { signal: true } as const;
const START: OptionNames<RunStart> = {
  runId: true,
  agent: true,
  startedAt: true,
  cwd: true,
  model: true,
  resumes: true,
  fork: true,
  alone: true,
  owned: true,
  piped: true,
  terms: true,
  project: true,
  principal: true,
  replace: true,
  reopen: true,
};
