/** What people read to do about failures: each agent has words of its own for it, and a failure in its stream leads to them. */
import { expect, test } from 'vitest';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';

const SAID = {
  auth: '401 Incorrect API key provided',
  billing: 'insufficient credit',
  'model-not-found': 'unknown model',
  'context-limit': 'the prompt is too long',
  config: 'invalid config',
} as const;

const rpc = (message: string) => [
  { jsonrpc: '2.0', id: 1, result: { sessionId: 's1' } },
  { jsonrpc: '2.0', id: 7, error: { code: -32_603, message } },
];
const pi = (errorMessage: string) => [
  { type: 'session', version: 3, id: 's', cwd: '/' },
  { type: 'agent_start' },
  { type: 'message_end', message: { role: 'assistant', content: [], stopReason: 'error', errorMessage } },
  { type: 'agent_end', messages: [] },
];
const WIRE: Record<string, (message: string) => object[]> = {
  cline: (message) => [{ type: 'error', message }],
  codex: (message) => [
    { type: 'thread.started', thread_id: 't' },
    { type: 'turn.failed', error: { message } },
  ],
  copilot: (message) => [{ type: 'session.error', data: { message } }],
  droid: (message) => [{ type: 'error', message, session_id: 's', timestamp: 1 }],
  gemini: (message) => [
    { type: 'init', session_id: 's' },
    { type: 'error', severity: 'error', message },
  ],
  kilo: rpc,
  kimi: rpc,
  opencode: rpc,
  pi,
  qwen: (message) => [
    { type: 'system', subtype: 'init', session_id: 's' },
    { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message }, session_id: 's' },
  ],
};

test.each<[agent: string, category: keyof typeof SAID, hint: string]>([
  ['cline', 'auth', 'Run `cline auth`.'],
  ['codex', 'auth', 'Run `codex login`, or set CODEX_API_KEY.'],
  ['codex', 'billing', 'Check your OpenAI plan and billing, or run `codex login` with another account.'],
  ['codex', 'model-not-found', 'Choose another model; `codex debug models` lists what this version knows.'],
  ['codex', 'context-limit', 'Start a new session, or ask for less at once.'],
  ['codex', 'config', 'Check ~/.codex/config.toml and the environment variables it names.'],
  ['copilot', 'auth', 'Run `copilot` once and `/login`, or set GH_TOKEN.'],
  ['copilot', 'billing', 'Check the premium requests of the account.'],
  ['copilot', 'model-not-found', 'Choose another model with `--model`.'],
  ['droid', 'auth', 'Run `droid` once and sign in, or set FACTORY_API_KEY.'],
  ['droid', 'billing', 'Check the credits of the account.'],
  ['gemini', 'auth', 'Run `gemini` once and sign in, or set GEMINI_API_KEY.'],
  ['gemini', 'billing', 'Check the quota of the account.'],
  ['kilo', 'auth', 'Run `kilo auth login`, or set the key of the provider.'],
  ['kilo', 'model-not-found', 'Choose another model as provider/model; `kilo models` lists them.'],
  ['kilo', 'config', 'Check the configuration of Kilo and the environment.'],
  ['kimi', 'auth', 'Run `kimi` and `/login`, or set KIMI_MODEL_NAME, KIMI_MODEL_API_KEY and KIMI_MODEL_BASE_URL.'],
  ['kimi', 'model-not-found', 'Choose another model; `kimi provider` shows what is set up.'],
  ['opencode', 'auth', 'Run `opencode auth login`, or set the key of the provider.'],
  ['opencode', 'model-not-found', 'Choose another model as provider/model; `opencode models` lists them.'],
  ['opencode', 'config', 'Check opencode.json and the environment.'],
  ['pi', 'auth', 'Run `pi` and `/login`, or set the key of the provider.'],
  ['pi', 'model-not-found', 'Choose another model; `pi --list-models` lists them.'],
  ['qwen', 'auth', 'Run `qwen` once and choose how to sign in, or set OPENAI_API_KEY.'],
  ['qwen', 'billing', 'Check the plan and the credit of the account.'],
])('%s, %s: %s', (agent, category, hint) => {
  const decoder = createDecoder(agent);
  const lines = (WIRE[agent]?.(SAID[category]) ?? []).map((line) => `${JSON.stringify(line)}\n`).join('');
  const events = [...decoder.push(new TextEncoder().encode(lines)), ...decoder.end()] as AgentEvent[];
  const faults = events.flatMap((event) =>
    event.type === 'agent-error' ? [event] : event.type === 'turn-end' && event.error ? [event.error] : [],
  );
  expect(faults.map((fault) => fault.hint)).toContain(hint);
  expect(faults.map((fault) => fault.category)).toContain(category);
});
