/** On which machine it is done: this one, or a worker of the hub, chosen by its name or by what it has. Only where there are workers. */
import type { WorkerRecord } from '../../../../client/index.js';
import { visible } from '../../text/visible.js';

/** Empty worker: any of them. */
export interface Elsewhere {
  worker: string;
  project: string;
  labels: string[];
}

interface Props {
  workers: readonly WorkerRecord[];
  /** Agents may work on this server too. */
  hasHere: boolean;
  place: Elsewhere | undefined;
  onPlace: (place: Elsewhere | undefined) => void;
}

const HERE = 'here';

export function PlaceChoice({ workers, hasHere, place, onPlace }: Props) {
  if (workers.length === 0) return null;
  const fitting = workersFor(workers, place);
  const projects = distinct(fitting.flatMap((worker) => worker.projects));
  const labels = distinct(workers.flatMap((worker) => worker.labels));
  const choose = (chosen: string) => {
    if (chosen === HERE) return onPlace(undefined);
    const worker = chosen.slice(1);
    const known = workers.filter(({ name }) => worker === '' || name === worker).flatMap((one) => one.projects);
    const project = place && known.includes(place.project) ? place.project : (known[0] ?? '');
    onPlace({ worker, project, labels: worker === '' ? (place?.labels ?? []) : [] });
  };
  return (
    <>
      <label class="field">
        <span>Machine</span>
        <select value={place ? `@${place.worker}` : HERE} onChange={(event) => choose(event.currentTarget.value)}>
          {hasHere && <option value={HERE}>This server</option>}
          <option value="@">Any worker</option>
          {workers.map(({ name, isHere, busy, capacity }) => (
            <option key={name} value={`@${name}`}>
              {visible(name)} ({isHere ? `${busy} of ${capacity} busy` : 'away'})
            </option>
          ))}
        </select>
      </label>
      {place && (
        <label class="field">
          <span>Project</span>
          <select value={place.project} onChange={(event) => onPlace({ ...place, project: event.currentTarget.value })}>
            {projects.map((name) => (
              <option key={name} value={name}>
                {visible(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      {place?.worker === '' && labels.length > 0 && (
        <fieldset class="label-choice start-wide">
          <legend>With all of these labels</legend>
          {labels.map((label) => (
            <label key={label} class="check">
              <input
                type="checkbox"
                checked={place.labels.includes(label)}
                onChange={({ currentTarget: { checked } }) => {
                  const others = place.labels.filter((other) => other !== label);
                  onPlace({ ...place, labels: checked ? [...others, label] : others });
                }}
              />
              <span>{visible(label)}</span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** Where nothing was chosen and this server has no folder to work in. */
export function anyWorker(workers: readonly WorkerRecord[]): Elsewhere | undefined {
  const [project] = workers.flatMap(({ projects }) => projects);
  return project === undefined ? undefined : { worker: '', project, labels: [] };
}

/** Those that could take it. */
export function workersFor(workers: readonly WorkerRecord[], place: Elsewhere | undefined): WorkerRecord[] {
  if (!place) return [];
  const hasAll = (worker: WorkerRecord) => place.labels.every((label) => worker.labels.includes(label));
  return workers.filter((worker) => (place.worker === '' ? hasAll(worker) : worker.name === place.worker));
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
