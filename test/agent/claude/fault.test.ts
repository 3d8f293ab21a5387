/** The agent's words for failures, and what a person reads to do about them. */
import { expect, test } from 'vitest';
import { errorFacts } from '../../../src/agent/claude/fault.js';

const LOGIN = 'Run `claude /login`, or set ANTHROPIC_API_KEY.';
const MODEL = 'Choose another model with --model.';
const CREDIT = 'Check the plan and the credit of the account.';
const LIMIT = 'Wait until the limit resets, then run again.';
const MOMENT = 'Wait a moment, then run again.';
const NETWORK = 'Check the network connection, then run again.';

test.each<[word: string | undefined, message: string, status: number | undefined, category: string, hint?: string]>([
  ['authentication_failed', 'x', undefined, 'auth', LOGIN],
  ['oauth_org_not_allowed', 'x', undefined, 'auth', LOGIN],
  ['account_on_hold', 'x', undefined, 'auth', LOGIN],
  ['verification_required', 'x', undefined, 'auth', LOGIN],
  ['cloud_credential_error', 'x', undefined, 'auth', 'Refresh the credentials of the cloud provider, then run again.'],
  ['billing_error', 'x', undefined, 'billing', CREDIT],
  ['rate_limit', 'x', undefined, 'rate-limit', LIMIT],
  ['overloaded', 'x', undefined, 'overloaded', MOMENT],
  ['invalid_request', 'x', undefined, 'invalid-request'],
  ['invalid_request', 'Our safeguards flagged it', undefined, 'refusal'],
  ['invalid_request', 'It refused', undefined, 'refusal'],
  ['model_not_found', 'x', undefined, 'model-not-found', MODEL],
  ['server_error', 'x', undefined, 'server'],
  ['server_error', 'Connection error.', undefined, 'network', NETWORK],
  ['server_error', 'The network is down', undefined, 'network', NETWORK],
  ['max_output_tokens', 'x', undefined, 'max-output'],
  ['rate_limit', 'x', 500, 'rate-limit', LIMIT],
  [undefined, 'Connection error.', undefined, 'unknown'],
  ['a_new_word', 'x', undefined, 'unknown'],
  [undefined, 'x', 399, 'unknown'],
  [undefined, 'x', 400, 'invalid-request'],
  [undefined, 'x', 401, 'auth', LOGIN],
  [undefined, 'x', 402, 'billing', CREDIT],
  [undefined, 'x', 403, 'auth', LOGIN],
  [undefined, 'x', 404, 'model-not-found', MODEL],
  [undefined, 'x', 429, 'rate-limit', LIMIT],
  [undefined, 'x', 499, 'invalid-request'],
  [undefined, 'x', 500, 'server'],
  [undefined, 'x', 529, 'overloaded', MOMENT],
])('%s, %s, %s is %s', (word, message, httpStatus, category, hint) => {
  expect(errorFacts(word, message, httpStatus)).toEqual({ category, message, hint, httpStatus });
});
