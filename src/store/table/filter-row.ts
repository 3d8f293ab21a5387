import type { Filter } from '../query.js';
import type { Value } from './row.js';

/** The values of a filter, in the order in which the conditions of every database have them; what is null does not filter. */
export function filterValues(filter: Filter): Value[] {
  const { agent, project, state, outcome, since, until, minUsd, maxUsd, begun, pinned, projects } = filter;
  const directory = project?.replace(/(?<![\\/])[\\/]+$/, '') || project;
  const kept = pinned === undefined ? null : Number(pinned);
  const names = projects && JSON.stringify(projects);
  return [agent, directory, state, outcome, since, until, minUsd, maxUsd, begun ? 1 : null, kept, names].map(
    (value) => value ?? null,
  );
}
