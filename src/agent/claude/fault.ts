/** This agent's error words as neutral categories, with what a person can do. */
import { defined, type ErrorCategory, type ErrorFacts } from '../../event/index.js';
import { lookUp } from '../field.js';

const CATEGORIES: Record<string, ErrorCategory> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  cloud_credential_error: 'auth',
  billing_error: 'billing',
  rate_limit: 'rate-limit',
  overloaded: 'overloaded',
  invalid_request: 'invalid-request',
  model_not_found: 'model-not-found',
  server_error: 'server',
  max_output_tokens: 'max-output',
};

const HINTS: Partial<Record<ErrorCategory, string>> = {
  auth: 'Run `claude /login`, or set ANTHROPIC_API_KEY.',
  billing: 'Check the plan and the credit of the account.',
  'rate-limit': 'Wait until the limit resets, then run again.',
  overloaded: 'Wait a moment, then run again.',
  'model-not-found': 'Choose another model with --model.',
  network: 'Check the network connection, then run again.',
};

/** Its own login does not help where a cloud provider stands between. */
const CLOUD_HINT = 'Refresh the credentials of the cloud provider, then run again.';

export function errorFacts(word: string | undefined, message: string, httpStatus?: number): ErrorFacts {
  const category = categoryOf(word, message, httpStatus);
  const hint = word === 'cloud_credential_error' ? CLOUD_HINT : HINTS[category];
  return defined({ category, message, hint, httpStatus });
}

function categoryOf(word: string | undefined, message: string, httpStatus: number | undefined): ErrorCategory {
  const known = lookUp(CATEGORIES, word);
  if (known === 'server' && /connection|network/i.test(message)) return 'network';
  if (known === 'invalid-request' && /safeguards|refus/i.test(message)) return 'refusal';
  return known ?? byStatus(httpStatus) ?? 'unknown';
}

function byStatus(status: number | undefined): ErrorCategory | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 404) return 'model-not-found';
  if (status === 429) return 'rate-limit';
  if (status === 529) return 'overloaded';
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalid-request' : undefined;
}
