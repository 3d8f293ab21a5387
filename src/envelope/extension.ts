/** The extensions of a request: checked in a fixed order, so that the first error is always the same, and turned into options of a run. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { GlassboxError } from '../event/index.js';
import type { RunRequest } from '../run/index.js';
import { utf8Length } from './bound.js';
import { ADD_DIRS, EXTERNAL_SANDBOX, FORK, MODEL, NON_INTERACTIVE, RESUME } from './capability.js';

/** Namespaced keys; each must be a capability of the backend. */
export type Extensions = Readonly<Record<string, unknown>>;

export interface ExtensionOptions {
  agentKind: string;
  capabilities: ReadonlySet<string>;
  /** Absolute; further directories are resolved against it. */
  workingDir: string;
}

/** What the extensions ask for. */
export interface Wishes {
  request: Pick<RunRequest, 'permission' | 'model' | 'addDirs' | 'resume' | 'fork'>;
  externalSandbox: boolean;
  /** Which session is to be continued. */
  selector?: 'last' | 'id';
}

export function readExtensions(extensions: Extensions, options: ExtensionOptions): Wishes {
  checkKeys(extensions, options);
  const nonInteractive = flag(extensions, NON_INTERACTIVE) ?? true;
  const externalSandbox = flag(extensions, EXTERNAL_SANDBOX) ?? false;
  const model = readModel(extensions[MODEL]);
  const addDirs = readDirs(extensions[ADD_DIRS], options.workingDir);
  const resume = readSelector(extensions, RESUME);
  const fork = readSelector(extensions, FORK);
  checkTogether(extensions, { nonInteractive, externalSandbox });

  const session = resume ?? fork;
  return {
    request: {
      // Nobody to ask means no, where the universal API would let the agent do anything.
      permission: externalSandbox ? 'bypass' : nonInteractive ? 'deny' : 'ask',
      ...(model !== undefined && { model }),
      ...(addDirs && { addDirs }),
      ...(session && { resume: session.id ?? 'latest' }),
      ...(fork && { fork: true }),
    },
    externalSandbox,
    ...(session && { selector: session.id === undefined ? 'last' : 'id' }),
  };
}

/** An unknown key is refused before any value is looked at. */
function checkKeys(extensions: Extensions, { agentKind, capabilities }: ExtensionOptions): void {
  const unknown = Object.keys(extensions)
    .sort()
    .find((key) => !capabilities.has(key));
  if (unknown === undefined) return;
  // Anything may stand in the place of a key, also what must not be repeated.
  const capability = KEY.test(unknown) ? unknown : '(not a key)';
  throw new GlassboxError('unsupported-capability', `unsupported capability for ${agentKind}: ${capability}`, {
    cause: { agent_kind: agentKind, capability },
  });
}

const KEY = /^(?:agent_api|backend\.[a-z][a-z0-9_]*)\.[a-z0-9_.-]{1,100}$/;

function flag(extensions: Extensions, key: string): boolean | undefined {
  const value = extensions[key];
  return value === undefined || typeof value === 'boolean' ? value : refuse(`invalid ${key}`);
}

function readModel(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const model = typeof value === 'string' ? value.trim() : '';
  // A run takes no name that looks like a flag either.
  return model !== '' && utf8Length(model) <= 128 && /^[^\s\p{Cc}-]\P{Cc}*$/u.test(model)
    ? model
    : refuse(`invalid ${MODEL}`);
}

function readDirs(value: unknown, workingDir: string): string[] | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value) || Object.keys(value).some((key) => key !== 'dirs')) refuse(`invalid ${ADD_DIRS}`);
  const { dirs } = value;
  if (!Array.isArray(dirs) || dirs.length < 1 || dirs.length > 16) refuse(`invalid ${ADD_DIRS}.dirs`);
  const resolved = dirs.map((entry: unknown, index) => {
    const dir = typeof entry === 'string' ? entry.trim() : '';
    const whole = path.resolve(workingDir, dir);
    return dir !== '' && utf8Length(dir) <= 1024 && isDirectory(whole)
      ? whole
      : refuse(`invalid ${ADD_DIRS}.dirs[${index}]`);
  });
  return [...new Set(resolved)];
}

function readSelector(extensions: Extensions, key: string): { id?: string } | undefined {
  const value = extensions[key];
  if (value === undefined) return undefined;
  if (!isObject(value) || Object.keys(value).some((name) => name !== 'selector' && name !== 'id'))
    refuse(`invalid ${key}`);
  const { selector, id } = value;
  if (selector === 'last' && id === undefined) return {};
  if (selector === 'id' && typeof id === 'string' && id.trim() !== '') return { id: id.trim() };
  return refuse(`invalid ${key}`);
}

function checkTogether(
  extensions: Extensions,
  { nonInteractive, externalSandbox }: { nonInteractive: boolean; externalSandbox: boolean },
): void {
  if (externalSandbox && !nonInteractive) refuse(`${EXTERNAL_SANDBOX} contradicts ${NON_INTERACTIVE}=false`);
  if (externalSandbox && Object.keys(extensions).some((key) => /^backend\.[^.]+\.exec\./.test(key))) {
    refuse(`${EXTERNAL_SANDBOX} contradicts the backend's own exec policy`);
  }
  if (extensions[RESUME] !== undefined && extensions[FORK] !== undefined)
    refuse(`${RESUME} and ${FORK} exclude each other`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDirectory(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function refuse(message: string): never {
  throw new GlassboxError('invalid-request', message);
}
