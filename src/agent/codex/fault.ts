/** Codex failures: retries that look like errors, and next steps for the real ones. */
import type { DraftOf, ErrorCategory, ErrorFacts } from '../../event/index.js';
import { faultOf, type Hints } from '../fault.js';

const HINTS: Hints = {
  auth: 'Run `codex login`, or set CODEX_API_KEY.',
  billing: 'Check your OpenAI plan and billing, or run `codex login` with another account.',
  'model-not-found': 'Choose another model; `codex debug models` lists what this version knows.',
  'context-limit': 'Start a new session, or ask for less at once.',
  config: 'Check ~/.codex/config.toml and the environment variables it names.',
};

/** 0.166: one process writes a conversation, and that of a terminal is a server which stays when the terminal is closed. */
const HELD =
  'Its own program, or the server that it leaves behind, has this session: go on there (glassbox open), or end both (codex app-server daemon stop) and try again.';

export function codexFault(message: string, httpStatus?: number, category?: ErrorCategory): ErrorFacts {
  const fault = faultOf(message, HINTS, httpStatus, category);
  return /already has an active writer/.test(message) ? { ...fault, hint: HELD } : fault;
}

/** `Reconnecting... 2/5 (why)` and `Reconnecting... waiting for network (why)` are not failures. */
export function retryIn(message: string): Omit<DraftOf<'retry'>, 'turn'> | undefined {
  const found = /^Reconnecting\.\.\.\s*(?:(\d+)\/(\d+))?[^(]*/.exec(message);
  if (!found) return undefined;
  const [before, attempt, maxAttempts] = found;
  const rest = message.slice(before.length).trim();
  if (rest !== '' && !rest.endsWith(')')) return undefined;
  const why = rest === '' ? undefined : rest.slice(1, -1);
  return {
    type: 'retry',
    ...(attempt !== undefined && { attempt: Number(attempt), maxAttempts: Number(maxAttempts) }),
    ...(why !== undefined && { why }),
  };
}
