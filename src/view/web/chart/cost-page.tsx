/** Where the money went: by day, by model, by project. */
import type { Total } from '../../../client/index.js';
import { sumFigures } from '../../../ledger/index.js';
import { counted } from '../../../word/index.js';
import { BackLink } from '../component/part/back-link.js';
import { Loading, Notice } from '../component/part/notice.js';
import { client } from '../state/server.js';
import { useAnswer } from '../state/use-answer.js';
import { money, projectName } from '../text/format.js';
import { BarList } from './bar-list.js';
import { DayChart } from './day-chart.js';

export default function CostPage() {
  const answer = useAnswer(
    () =>
      Promise.all([
        client.cost({ by: 'day' }),
        client.cost({ by: 'model' }),
        client.cost({ by: 'project' }),
        client.cost({ by: 'agent' }),
      ]),
    [],
  );
  if (answer.phase === 'loading') return <Loading text="Adding up" />;
  if (answer.phase === 'failed') return <Notice title={answer.problem} />;
  const [days, models, projects, agents] = answer.value;
  return (
    <div class="cost">
      <header class="session-head">
        <BackLink />
        <div class="session-head-text">
          <h1>Costs</h1>
          {days.length > 0 && <p class="faint">{sumText(days)}</p>}
        </div>
      </header>
      {days.length === 0 ? (
        <Notice title="Nothing was spent yet">
          <p>What your agents cost is added up here, by day, model, project and agent.</p>
        </Notice>
      ) : (
        <div class="cost-body">
          <DayChart days={days} />
          <BarList title="By model" totals={models} nameOf={(key) => key || 'unknown'} />
          <BarList title="By project" totals={projects} nameOf={(key) => (key ? projectName(key) : 'unknown')} />
          <BarList title="By agent" totals={agents} nameOf={(key) => key || 'unknown'} />
        </div>
      )}
    </div>
  );
}

function sumText(days: readonly Total[]): string {
  const all = sumFigures(days.map(({ spent }) => spent));
  return `${money(all) || 'unknown'} on ${counted(days.length, 'day')}`;
}
