/** What was compared: each attempt of each agent side by side, with ways to its session and its changes. */
import { useStore } from '@nanostores/preact';
import {
  askedText,
  changedText,
  checkText,
  endedText,
  passedText,
  remarkOn,
  shareText,
  type Told,
} from '../../../client/comparison-words.js';
import type { ComparisonReport } from '../../../client/index.js';
import { duration } from '../../../word/index.js';
import { BackLink } from '../component/part/back-link.js';
import { Loading, Notice } from '../component/part/notice.js';
import { sessionPath } from '../state/route.js';
import { client } from '../state/server.js';
import { $sessions } from '../state/sessions.js';
import { useAnswer } from '../state/use-answer.js';
import { ago, money, projectName } from '../text/format.js';
import { visible } from '../text/visible.js';
import './comparison.css';

export default function ComparisonsPage() {
  // What changes in an attempt changes its session, too.
  const moves = Object.values(useStore($sessions)).map(({ id, state }) => `${id} ${state}`);
  const answer = useAnswer(() => client.comparisons(), [moves.join()], { keepsLast: true });
  if (answer.phase === 'loading') return <Loading text="Loading the comparisons" />;
  if (answer.phase === 'failed') return <Notice title={answer.problem} />;
  return (
    <div class="cost">
      <header class="session-head">
        <BackLink />
        <div class="session-head-text">
          <h1>Comparisons</h1>
          <p class="faint">The same task for several agents</p>
        </div>
      </header>
      <div class="comparisons">
        {answer.value.length === 0 && (
          <Notice title="Nothing was compared yet">
            <p>
              <code>glassbox compare "…" --agents …</code> gives several agents the same task, each in a folder of its
              own.
            </p>
          </Notice>
        )}
        {answer.value.map((report) => (
          <Comparison key={report.id} report={report} />
        ))}
      </div>
    </div>
  );
}

function Comparison({ report }: { report: ComparisonReport }) {
  const { id, task, project, startedAt, check, attempts, standings } = report;
  const k = standings[0]?.k ?? 1;
  return (
    <section class="comparison" aria-labelledby={`c-${id}`}>
      <h2 id={`c-${id}`}>{visible(task.split('\n')[0] ?? '')}</h2>
      <p class="faint">
        {id} · {ago(startedAt, Date.now())} · {visible(projectName(project))}
        {check !== undefined && (
          <>
            {' · check '}
            <code>{visible(check)}</code>
          </>
        )}
      </p>
      <div class="comparison-scroll wide">
        <table>
          <thead>
            <tr>
              {['#', 'Agent', 'Ended', 'Check', 'Cost', 'Took', 'Turns', 'Asked', 'Changed', 'Said'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <tr key={attempt.number}>
                <td>{attempt.number}</td>
                <th scope="row">
                  {attempt.session === undefined ? (
                    visible(attempt.label)
                  ) : (
                    <a href={sessionPath(attempt.session)}>{visible(attempt.label)}</a>
                  )}
                </th>
                <Cell told={endedText(attempt)} />
                <Cell told={checkText(attempt)} />
                <td>{attempt.end && (money(attempt.end.cost) || 'unknown')}</td>
                <td>{attempt.end && duration(attempt.end.durationMs)}</td>
                <td>{attempt.end?.turns}</td>
                <td>{askedText(attempt)}</td>
                <td>
                  {attempt.session !== undefined && attempt.size && attempt.size.files > 0 ? (
                    <a href={sessionPath(attempt.session, 'changes')}>{changedText(attempt)}</a>
                  ) : (
                    changedText(attempt)
                  )}
                </td>
                <td class="comparison-said">{visible(remarkOn(attempt))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul class="comparison-standings">
        {standings.map((standing) => (
          <li key={standing.label}>
            <strong>{visible(standing.label)}</strong>{' '}
            {check === undefined ? 'no check' : `passed ${passedText(standing)}, pass@1 ${shareText(standing.passAt1)}`}
            {check !== undefined &&
              k > 1 &&
              `, pass@${k} ${shareText(standing.passAtK)}, pass^${k} ${shareText(standing.passAllK)}`}
            {`, cost ${money(standing.cost) || 'unknown'}`}
          </li>
        ))}
      </ul>
      <p class="faint">
        To take one over:{' '}
        <code>
          glassbox apply {id}/{attempts.find(({ verdict }) => verdict === 'passed')?.number ?? 1}
        </code>
      </p>
    </section>
  );
}

const Cell = ({ told: { text, tone } }: { told: Told }) => <td data-tone={tone}>{text}</td>;
