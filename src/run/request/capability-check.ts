/** What the agent cannot do is said before anything is started, with what to do instead; never left out in silence. */
import type { Agent, CapabilityName, CommandRequest } from '../../agent/index.js';
import { GlassboxError } from '../../event/index.js';
import { FROM_START } from './continuation.js';
import type { RunRequest } from './request.js';

interface Need {
  capability: CapabilityName;
  what: string;
  instead: string;
}

const NEEDS: Partial<Record<keyof RunRequest, Need>> = {
  keepOpen: need('followUp', 'take further messages', 'Start a run for each message, and resume the session.'),
  model: need('model', 'be given a model', 'Choose it in its own configuration.'),
  addDirs: need('addDirs', 'be given further directories', 'Start it in a directory that holds them all (cwd).'),
  allowedTools: need('allowedTools', 'be given a list of tools', 'Choose a permission that fits.'),
  disallowedTools: need('allowedTools', 'be given a list of tools', 'Choose a permission that fits.'),
  mcpConfig: need('mcpConfig', 'be given MCP servers', 'Add them to its own configuration.'),
  systemPrompt: need('systemPrompt', 'be given a system prompt', 'Say it in the prompt.'),
  outputSchema: need(
    'structuredOutput',
    'answer by a schema',
    'Describe the form in the prompt, and check the answer.',
  ),
  resume: need('resume', 'resume a session', 'Say in the prompt what it has to know.'),
  fork: need('fork', 'fork a session', 'Resume it without fork, or start a new one.'),
  resumeAt: need('resumeAt', 'go on from an earlier turn', 'Resume it as a whole, or start a new one.'),
  sessionId: need('sessionId', 'be given a session id', 'Take the one that its events carry (sessionId).'),
  budgetUsd: need(
    'cost',
    'tell its cost, so no budget in USD can be held',
    'Limit its tokens, turns or time (budgetTokens, maxTurns, timeoutMs).',
  ),
  budgetTokens: need(
    'usage',
    'tell its tokens, so no budget in tokens can be held',
    'Limit its turns or time (maxTurns, timeoutMs).',
  ),
};

const LATEST = need('continueLast', 'resume its latest session', 'Give the id of the session.');

/** Throws for an option that the agent has no capability for. */
export function checkCapabilities(request: RunRequest, { title, capabilities }: Agent): void {
  for (const [option, usual] of Object.entries(NEEDS)) {
    const value = request[option as keyof RunRequest];
    // With nothing of it every agent can begin.
    if (value === undefined || value === false || (option === 'resumeAt' && value === FROM_START)) continue;
    const { capability, what, instead } = option === 'resume' && value === 'latest' ? LATEST : usual;
    if (capabilities[capability]) continue;
    throw new GlassboxError('unsupported-capability', `${title} cannot ${what} (${option}). ${instead}`);
  }
}

/** Throws for an effort that the agent does not know. */
export function checkEffort({ effort }: RunRequest, { title, efforts = [] }: Agent): void {
  if (effort === undefined || efforts.includes(effort)) return;
  const instead = efforts.length > 0 ? `It knows ${efforts.join(', ')}.` : 'Choose it in its own configuration.';
  throw new GlassboxError('unsupported-capability', `${title} cannot be told to think like this (effort). ${instead}`);
}

/** Throws for a request beyond the limit of a capability. */
export function checkLimits({ title, cannot }: Agent, request: CommandRequest): void {
  const objection = cannot?.(request);
  if (objection) throw new GlassboxError('unsupported-capability', `${title} cannot ${objection}`);
}

function need(capability: CapabilityName, what: string, instead: string): Need {
  return { capability, what, instead };
}
