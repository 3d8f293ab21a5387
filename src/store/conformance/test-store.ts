import type { Store } from '../store.js';
import type { Check, StoreCase, StorePlace } from './case.js';
import { channelCases } from './channel-cases.js';
import { eventCases } from './event-cases.js';
import { auditCases, budgetCases, jobCases, projectCases, tokenCases } from './fleet-cases.js';
import { labelCases } from './label-cases.js';
import { ownerCases } from './owner-cases.js';
import { driftCases, limitCases, listCases, totalCases } from './query-cases.js';
import { searchCases } from './search-cases.js';
import { removalCases, sessionCases } from './session-cases.js';
import { sourceCases } from './source-cases.js';

const CHECKS: Readonly<Record<string, readonly Check[]>> = {
  events: eventCases,
  sessions: sessionCases,
  labels: labelCases,
  owners: ownerCases,
  'the channel to an owner': channelCases,
  sources: sourceCases,
  list: listCases,
  search: searchCases,
  totals: totalCases,
  limits: limitCases,
  drift: driftCases,
  removing: removalCases,
  projects: projectCases,
  tokens: tokenCases,
  audit: auditCases,
  jobs: jobCases,
  budgets: budgetCases,
};

/**
 * The contract of a store as cases for any test runner. `make` gives a place with fresh data for each case, which is removed after it;
 * the stores that a case opens there are closed before.
 */
export function testStore(make: () => Promise<StorePlace>): StoreCase[] {
  return Object.entries(CHECKS).flatMap(([about, checks]) =>
    checks.map(({ name, run }) => ({ name: `${about}: ${name}`, run: () => runAt(make, run) })),
  );
}

async function runAt(make: () => Promise<StorePlace>, run: Check['run']): Promise<void> {
  const place = await make();
  const opened: Store[] = [];
  try {
    await run(async () => {
      const store = await place.open();
      opened.push(store);
      return store;
    });
  } finally {
    for (const store of opened) await store.close();
    await place.remove();
  }
}
