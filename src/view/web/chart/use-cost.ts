/** The sums of the sessions that are filtered for, all of the same moment, and what they leave out. */
import { useStore } from '@nanostores/preact';
import type { CostQuery, SessionRecord } from '../../../client/index.js';
import { $filter, queryOf } from '../state/filter.js';
import { client } from '../state/server.js';
import { $sessions } from '../state/sessions.js';
import { useAnswer } from '../state/use-answer.js';
import type { Unit } from './period.js';

const MOST_SESSIONS = 1000;
const PAGE = 200;

export function useCost(unit: Unit) {
  const filter = useStore($filter);
  // Sums change when a run has ended, not with every word.
  const ended = Object.values(useStore($sessions)).filter(({ state }) => state === 'ended').length;
  return useAnswer(
    async () => {
      const query = queryOf(filter, Date.now());
      const by = (key: CostQuery['by']) => client.cost({ ...query, by: key });
      const [periods, causes, models, projects, agents, tools, sessions] = await Promise.all([
        by(unit),
        by('cause'),
        by('model'),
        by('project'),
        by('agent'),
        by('tool'),
        by('session'),
      ]);
      const listed = await listSessions(query);
      // What is shown until the next answer comes was asked for another unit.
      return { unit, periods, causes, models, projects, agents, tools, sessions, listed };
    },
    [filter, unit, ended],
    { keepsLast: true },
  );
}

/** The latest of them, and whether there are more. */
async function listSessions(query: object): Promise<{ sessions: SessionRecord[]; isAll: boolean }> {
  const sessions: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.sessions({ ...query, limit: PAGE, cursor });
    sessions.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined && sessions.length < MOST_SESSIONS);
  return { sessions, isAll: cursor === undefined };
}
