/** Work that was sent to the workers of a hub, until one of them has begun: then its session is shown. */
import { useEffect, useState } from 'preact/hooks';
import type { JobRecord } from '../../../../client/index.js';
import { goOn, sessionPath } from '../../state/route.js';
import { client, messageOf } from '../../state/server.js';
import { visible } from '../../text/visible.js';

const LOOK_MS = 1000;

export function JobWait({ job: sent, onBack }: { job: JobRecord; onBack: () => void }) {
  const [job, setJob] = useState(sent);
  const [problem, setProblem] = useState('');
  const isOver = job.state !== 'waiting' && job.state !== 'parked' && job.state !== 'claimed';
  useEffect(() => {
    if (job.runId !== undefined) {
      const { runId } = job;
      void client.session(runId).then(
        ({ id }) => goOn(sessionPath(id)),
        () => setTimeout(() => setJob({ ...job }), LOOK_MS),
      );
      return;
    }
    if (isOver) return;
    const timer = setTimeout(() => {
      client.job(job.id).then(
        (now) => {
          setProblem('');
          setJob(now);
        },
        (error: unknown) => {
          setProblem(messageOf(error));
          setJob({ ...job });
        },
      );
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [job]);

  const cancel = () => client.cancelJob(job.id).then(setJob, (error: unknown) => setProblem(messageOf(error)));
  return (
    <div class="start" role="status">
      <h1>{TITLES[job.state] ?? 'A worker has it'}</h1>
      <p class="faint">
        Job {job.id}, project {visible(job.project)}
        {job.worker === undefined ? '' : `, on ${visible(job.worker)}`}
      </p>
      {job.reason !== undefined && <p>{visible(job.reason)}</p>}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      {isOver ? (
        <button type="button" class="button" onClick={onBack}>
          Back
        </button>
      ) : (
        <button type="button" class="button" onClick={() => void cancel()}>
          Take it back
        </button>
      )}
    </div>
  );
}

const TITLES: Partial<Record<JobRecord['state'], string>> = {
  waiting: 'Waits for a worker',
  parked: 'Waits for money',
  refused: 'No worker took it',
  cancelled: 'Taken back',
  lost: 'Its worker fell silent',
};
