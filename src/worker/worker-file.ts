/** The worker's own file: which projects it knows and where they are, and the most that a job may be allowed. */
import path from 'node:path';
import { GlassboxError, PERMISSIONS, type Permission } from '../event/index.js';
import { list, map, oneOf, shape, text } from '../run/request/check.js';

export interface WorkerFile {
  /** By name: the directory on this machine. */
  projects: Record<string, string>;
  labels?: string[];
  /** The most that a job may be allowed without being asked; default `ask`. */
  permission?: Permission;
  /** The agents that it runs; default: those that are installed. */
  agents?: string[];
}

/** Where the file says nothing. */
export const CEILING: Permission = 'ask';

const check = shape<WorkerFile>(
  { projects: map(text), labels: list(text), permission: oneOf(PERMISSIONS), agents: list(text) },
  ['projects'],
);

/** Throws a `GlassboxError` that names what is wrong. Directories are meant from where the file is. */
export function checkWorkerFile(json: string, file: string): WorkerFile {
  const problems: string[] = [];
  const found = check(parsed(json, file), '', problems);
  if (found && Object.keys(found.projects).length === 0)
    problems.push('projects names none: { "shop": "/home/me/shop" }');
  if (found?.permission === 'bypass')
    problems.push('permission must not be bypass: work that comes from elsewhere is never done unasked');
  if (!found || problems.length > 0)
    throw new GlassboxError('invalid-request', `The worker's file ${file} makes no sense: ${problems.join('; ')}`);
  const here = path.dirname(file);
  const projects = Object.fromEntries(
    Object.entries(found.projects).map(([name, directory]) => [name, path.resolve(here, directory)]),
  );
  return { ...found, projects };
}

function parsed(json: string, file: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    throw new GlassboxError('invalid-request', `The worker's file ${file} is not JSON.`);
  }
}
