/**
 * Whether a worker does what a job asks for. The hub may be somebody else's, or taken over: what would choose a program, its arguments,
 * its environment or a directory is refused here, and so is more than the worker's own file allows.
 */
import type { RunRequest } from '../run/index.js';
import type { ClaimedJob, JobSpec } from '../store/index.js';
import { isAbove, isPermission, least } from './permission-ladder.js';
import { CEILING, type WorkerFile } from './worker-file.js';

export type Acceptance = { request: RunRequest } | { refusal: string };

const KNOWN: Readonly<Record<keyof JobSpec, 'string' | 'number'>> = {
  agent: 'string',
  prompt: 'string',
  model: 'string',
  effort: 'string',
  permission: 'string',
  timeoutMs: 'number',
  budgetUsd: 'number',
  budgetTokens: 'number',
  maxTurns: 'number',
};

export function acceptJob({ spec, project }: Pick<ClaimedJob, 'spec' | 'project'>, file: WorkerFile): Acceptance {
  const { projects, agents, permission: ceiling = CEILING } = file;
  const cwd = Object.hasOwn(projects, project) ? projects[project] : undefined;
  if (cwd === undefined) return { refusal: `This worker knows no project ${project}.` };
  for (const [name, value] of Object.entries(spec)) {
    const type = Object.hasOwn(KNOWN, name) ? KNOWN[name as keyof JobSpec] : undefined;
    if (type === undefined) return { refusal: `A job cannot say ${name}: that is the worker's own.` };
    if (value !== undefined && typeof value !== type) return { refusal: `${name} must be a ${type}.` };
  }
  if (agents && !agents.includes(spec.agent)) return { refusal: `This worker does not run ${spec.agent}.` };
  const permission = spec.permission ?? least(CEILING, ceiling);
  if (!isPermission(permission)) return { refusal: `There is no permission ${permission}.` };
  if (isAbove(permission, ceiling)) return { refusal: `This worker allows ${ceiling} at most, and not ${permission}.` };
  return { request: { ...spec, permission, cwd, attended: true, approvalTimeoutMs: 0 } };
}
