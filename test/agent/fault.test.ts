import { expect, test } from 'vitest';
import { faultOf } from '../../src/agent/fault.js';

test.each([
  ['Internal server error', 'server', undefined],
  ['Could not connect to local model provider', 'network', undefined],
  ['Missing API key for OpenAI-compatible auth.', 'auth', undefined],
  ['401 Incorrect API key provided', 'auth', 401],
  ['unexpected status 429 Too Many Requests', 'rate-limit', 429],
  ['429 You exceeded your quota', 'billing', 429],
  ['blocked due to safety settings', 'refusal', undefined],
  ['something else', 'unknown', undefined],
])('%s', (message, category, httpStatus) => {
  expect(faultOf(message)).toEqual({ category, message, ...(httpStatus !== undefined && { httpStatus }) });
});

test.each([
  ['[API Error: {"error":{"code":503,"message":"later"}}]', '[API Error: later]', 'overloaded', 503],
  ['402 {"type":"error","error":{"type":"billing_error","message":"No credit"}}', '402 No credit', 'billing', 402],
  ['400 {"message":"$& is not allowed"}', '400 $& is not allowed', 'invalid-request', 400],
  ['use {braces} and {"a":1}', 'use {braces} and {"a":1}', 'unknown', undefined],
])('a provider’s JSON says what is in it: %s', (message, words, category, httpStatus) => {
  expect(faultOf(message)).toMatchObject({ category, message: words, ...(httpStatus !== undefined && { httpStatus }) });
});

test.each([
  'The tool vite.config.ts was not found.',
  'The network tab shows nothing.',
  'The session was terminated after 3 steps.',
])('ordinary words are no category: %s', (message) => {
  expect(faultOf(message).category).toBe('unknown');
});
