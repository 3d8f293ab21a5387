/** Where the money went, and what for: of the sessions that are filtered for, which the list beside it shows. */
import { useStore } from '@nanostores/preact';
import type { Total } from '../../../client/index.js';
import { CAUSE_MEANINGS, CAUSE_NAMES, sumFigures } from '../../../ledger/index.js';
import { counted } from '../../../word/index.js';
import { BackLink } from '../component/part/back-link.js';
import { Loading, Notice } from '../component/part/notice.js';
import { $filter, chipText, FILTER_NAMES, type Filter } from '../state/filter.js';
import { keptChoice } from '../state/kept-choice.js';
import { sessionPath, setFilter } from '../state/route.js';
import { money, projectName } from '../text/format.js';
import { visible } from '../text/visible.js';
import { BarList, callsOf, isTold } from './bar-list.js';
import { notCounted } from './not-counted.js';
import { UNITS, type Unit } from './period.js';
import { PeriodChart } from './period-chart.js';
import { useCost } from './use-cost.js';

const $unit = keptChoice<Unit>('cost by', UNITS, 'day');

const RANGES: readonly (readonly [since: string, words: string])[] = [
  ['', 'All time'],
  ['today', 'Today'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
];

export default function CostPage() {
  const unit = useStore($unit);
  const filter = useStore($filter);
  const answer = useCost(unit);
  if (answer.phase === 'loading') return <Loading text="Adding up" />;
  if (answer.phase === 'failed') return <Notice title={answer.problem} />;
  const { periods, causes, models, projects, agents, tools, sessions, listed } = answer.value;
  const titles = new Map(listed.sessions.map(({ id, title }) => [id, title]));
  return (
    <div class="cost">
      <header class="session-head">
        <BackLink />
        <div class="session-head-text">
          <h1>Costs</h1>
          <p class="faint">
            {sumText(agents, filter)} · <a href="/comparisons">Comparisons of agents</a>
          </p>
        </div>
      </header>
      <div class="cost-body">
        <Choices unit={unit} filter={filter} />
        {periods.length === 0 ? (
          <Notice title={Object.keys(filter).length > 0 ? 'Nothing was spent on these' : 'Nothing was spent yet'}>
            <p>What your agents cost is added up here, by time, cause, model, project, agent, tool and session.</p>
          </Notice>
        ) : (
          <>
            <PeriodChart unit={answer.value.unit} totals={periods} filter={filter} />
            <BarList
              title="What for"
              totals={causes.filter(isTold)}
              nameOf={causeName}
              meaningOf={(key) => (isCause(key) ? CAUSE_MEANINGS[key] : undefined)}
              countOf={callsOf}
              note="What each model call was made for."
            />
            <BarList title="By model" totals={models} nameOf={orUnknown} />
            <BarList
              title="By session"
              totals={sessions}
              nameOf={(id) => titles.get(id) ?? id}
              pathOf={sessionPath}
              countOf={({ key }) => key}
            />
            <BarList
              title="By project"
              totals={projects}
              nameOf={(key) => (key ? projectName(key) : 'unknown')}
              filterOf={(project) => ({ ...filter, project })}
            />
            <BarList title="By agent" totals={agents} nameOf={orUnknown} filterOf={(agent) => ({ ...filter, agent })} />
            <BarList
              title="By tool"
              totals={tools.filter(isTold)}
              nameOf={(key) => key || 'answers'}
              countOf={callsOf}
              note="A share: what the messages cost that called the tool."
            />
          </>
        )}
        <LeftOut listed={listed} />
      </div>
    </div>
  );
}

function Choices({ unit, filter }: { unit: Unit; filter: Filter }) {
  const { since = '', until } = filter;
  const isUsual = until === undefined && RANGES.some(([value]) => value === since);
  const choose = (value: string) => {
    const { since: _, until: __, ...rest } = filter;
    setFilter(value === '' ? rest : { ...rest, since: value });
  };
  return (
    <div class="cost-choices">
      <fieldset class="switch">
        <legend class="sr-only">Sums of a</legend>
        {UNITS.map((name) => (
          <label key={name}>
            <input type="radio" name="unit" checked={unit === name} onChange={() => $unit.set(name)} />
            <span>{WORDS[name]}</span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span class="sr-only">Time</span>
        <select value={isUsual ? since : 'other'} onChange={(event) => choose(event.currentTarget.value)}>
          {RANGES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
          {!isUsual && <option value="other">{[since, until].filter(Boolean).join(' – ')}</option>}
        </select>
      </label>
    </div>
  );
}

const WORDS: Record<Unit, string> = { day: 'Days', week: 'Weeks', month: 'Months' };

interface Listed {
  listed: { sessions: Parameters<typeof notCounted>[0]; isAll: boolean };
}

function LeftOut({ listed: { sessions, isAll } }: Listed) {
  const left = notCounted(sessions);
  return (
    <section class="left-out">
      <h2>What is not counted</h2>
      {left.length === 0 ? (
        <p class="faint">{sessions.length === 0 ? 'There are no sessions.' : 'Nothing: each session told its cost.'}</p>
      ) : (
        <ul>
          {left.map(({ agent, text }) => (
            <li key={`${agent} ${text}`}>
              <b>{visible(agent)}</b> {text}
            </li>
          ))}
        </ul>
      )}
      <p class="faint">
        {isAll ? '' : `Looked at the latest ${sessions.length} sessions. `}What agents left on this machine and nobody
        read yet is not here; <code>glassbox cost</code> reads it.
      </p>
    </section>
  );
}

function sumText(agents: readonly Total[], filter: Filter): string {
  const all = sumFigures(agents.map(({ spent }) => spent));
  const count = agents.reduce((sum, { sessions }) => sum + sessions, 0);
  const of = FILTER_NAMES.flatMap((name) => (filter[name] === undefined ? [] : [chipText(name, filter[name])]));
  const whose = of.length > 0 ? ` · ${visible(of.join(', '))}` : '';
  return `${money(all) || (count > 0 ? 'unknown' : 'nothing')} in ${counted(count, 'session')}${whose}`;
}

function isCause(key: string): key is keyof typeof CAUSE_NAMES {
  return Object.hasOwn(CAUSE_NAMES, key);
}

function causeName(key: string): string {
  return isCause(key) ? CAUSE_NAMES[key] : key;
}

function orUnknown(key: string): string {
  return key || 'unknown';
}
