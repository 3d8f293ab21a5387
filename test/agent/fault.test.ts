import { expect, test } from 'vitest';
import { faultOf } from '../../src/agent/fault.js';

test.each([
  ['Internal server error', 'server', undefined],
  ['Could not connect to local model provider', 'network', undefined],
  ['Missing API key for OpenAI-compatible auth.', 'auth', undefined],
  ['[API Error: {"error":{"code":503,"message":"later"}}]', 'overloaded', 503],
  ['401 Incorrect API key provided', 'auth', 401],
  ['unexpected status 429 Too Many Requests', 'rate-limit', 429],
  ['429 You exceeded your quota', 'billing', 429],
  ['blocked due to safety settings', 'refusal', undefined],
  ['something else', 'unknown', undefined],
])('%s', (message, category, httpStatus) => {
  expect(faultOf(message)).toEqual({ category, message, ...(httpStatus !== undefined && { httpStatus }) });
});
