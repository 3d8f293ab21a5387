import type { Filter } from '../query.js';
import type { Value } from './row.js';

/** The values of a filter, in the order in which the conditions of every database have them; what is null does not filter. */
export function filterValues(filter: Filter): Value[] {
  const { agent, project, state, outcome, since, until, minUsd, maxUsd, begun, pinned, archived, projects } = filter;
  const directory = project?.replace(/(?<![\\/])[\\/]+$/, '') || project;
  const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value));
  const names = projects && JSON.stringify(projects);
  const facts = [agent, directory, state, outcome, since, until, minUsd, maxUsd, begun ? 1 : null];
  return [...facts, flag(pinned), names, flag(archived)].map((value) => value ?? null);
}
