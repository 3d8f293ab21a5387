/** The store as a principal sees it that is let in for some projects only: what is for others is not there. */
import type { Filter, SessionRecord, Store } from '../store/index.js';
import type { Principal } from './principal.js';

export function narrowed(store: Store, { projects }: Pick<Principal, 'projects'>): Store {
  if (!projects) return store;
  const isOurs = (project: string | undefined): boolean => project !== undefined && projects.includes(project);
  const isSeen = ({ runs }: SessionRecord): boolean =>
    runs.some(({ project }) => isOurs(project)) &&
    runs.every(({ project }) => project === undefined || isOurs(project));
  const seen = async (ref: string): Promise<SessionRecord | undefined> => {
    const session = await store.session(ref);
    return session && isSeen(session) ? session : undefined;
  };
  const ofOurs = async <Item extends { session: string }>(found: readonly Item[]): Promise<Item[]> => {
    const sessions = await Promise.all([...new Set(found.map(({ session }) => session))].map(seen));
    const ids = new Set(sessions.flatMap((session) => session?.id ?? []));
    return found.filter(({ session }) => ids.has(session));
  };
  const within = <Query extends Filter>(query: Query | undefined): Query => ({ ...(query as Query), projects });
  const { fleet: _, ...rest } = store;

  return {
    ...rest,
    session: seen,
    list: (query) => store.list(within(query)),
    search: (query) => store.search(within(query)),
    totals: (query) => store.totals(within(query)),
    approvals: async (runId) => ofOurs(await store.approvals(runId)),
    decisions: async (query) => ofOurs(await store.decisions(query)),
    async *watch(options) {
      for await (const sessions of store.watch(options)) {
        const own = sessions.filter(isSeen);
        if (own.length > 0) yield own;
      }
    },
    // What an account may still spend and what agents printed is nobody's project.
    limits: async () => [],
    drift: async () => [],
  };
}
