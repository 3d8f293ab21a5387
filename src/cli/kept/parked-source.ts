/** Which sessions of a store a limit of the account stopped, for whoever shows what sessions do. */
import type { ParkedSource } from '../../observer/index.js';
import { listParked, parkedEvidence } from '../../parking/index.js';
import type { Store } from '../../store/index.js';

export function parkedSource(store: Pick<Store, 'location' | 'session'>): ParkedSource {
  return {
    sessions: async () => (await listParked(store)).map(({ session }) => session.id),
    async evidenceOf(runId) {
      const parked = (await listParked(store)).find(({ record }) => record.runId === runId);
      return parked && parkedEvidence(parked);
    },
  };
}
