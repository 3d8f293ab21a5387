/** Capability ids of the universal API, derived from what an agent can do. */
import { refuseUnknown } from '../event/option.js';
import type { Agent } from '../run/index.js';

export const NON_INTERACTIVE = 'agent_api.exec.non_interactive';
export const EXTERNAL_SANDBOX = 'agent_api.exec.external_sandbox.v1';
export const MODEL = 'agent_api.config.model.v1';
export const ADD_DIRS = 'agent_api.exec.add_dirs.v1';
export const RESUME = 'agent_api.session.resume.v1';
export const FORK = 'agent_api.session.fork.v1';

/** What every backend has, because runs and events are ours. */
const COMMON = [
  'agent_api.run',
  'agent_api.events',
  'agent_api.events.live',
  'agent_api.control.cancel.v1',
  'agent_api.tools.structured.v1',
  'agent_api.tools.results.v1',
  'agent_api.artifacts.final_text.v1',
  'agent_api.session.handle.v1',
  NON_INTERACTIVE,
];

/** `external sandbox` takes every guard away, so it is there only where the host has said that it may be. */
export function capabilityIds(
  { capabilities, kind, envelopeIds = [] }: Pick<Agent, 'capabilities' | 'kind' | 'envelopeIds'>,
  options: { allowExternalSandbox?: boolean | undefined } = {},
): ReadonlySet<string> {
  refuseUnknown('capabilityIds', options, { allowExternalSandbox: true });
  // The selector of both keys may be `last` or an id, so both must work.
  const resumes = capabilities.resume && capabilities.continueLast;
  return new Set([
    ...COMMON,
    ...(capabilities.model ? [MODEL] : []),
    ...(capabilities.addDirs ? [ADD_DIRS] : []),
    ...(resumes ? [RESUME] : []),
    ...(resumes && capabilities.fork ? [FORK] : []),
    ...(options.allowExternalSandbox ? [EXTERNAL_SANDBOX] : []),
    ...envelopeIds.map((id) => `backend.${kind}.${id}`),
  ]);
}
