import type { StoreReader } from '../store.js';
import type { Caller } from './engine.js';
import { pages } from './pages.js';

/** What the store only looks up, wherever the data is. */
export function questionsTo({ call }: Caller): Omit<StoreReader, 'location' | 'close'> {
  return {
    session: (ref) => call('session', ref),
    list: (query = {}) => call('list', query),
    search: (query) => call('search', query),
    totals: (query) => call('totals', query),
    limits: () => call('limits'),
    drift: (query = {}) => call('drift', query),
    approvals: (runId) => call('approvals', runId),
    decisions: (query = {}) => call('decisions', query),
    read: (runId, fromSeq = 1) => pages({ call }, runId, fromSeq),
  };
}
