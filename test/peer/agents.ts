/** How each real agent is brought to a model on loopback: its program, its settings, and the names of its tools. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunRequest } from '../../src/run/index.js';
import { startAnthropic } from './model/anthropic.js';
import { startGoogle } from './model/google.js';
import type { ModelServer } from './model/http.js';
import { startOpenAiChat } from './model/openai-chat.js';
import { startOpenAiResponses } from './model/openai-responses.js';
import type { ModelTurn, Script } from './model/turn.js';
import { platform, programAt } from './program.js';
import type { Sandbox } from './sandbox.js';

export interface Peer {
  agent: string;
  program(): string;
  model(script: Script): Promise<ModelServer>;
  env(model: ModelServer): Record<string, string>;
  /** Writes settings into the fresh home. */
  setUp?(sandbox: Sandbox, model: ModelServer): void;
  /** Added to every request. */
  request?: Partial<RunRequest>;
  shell(command: string): ModelTurn;
  /** Writes a file with this content. */
  write(path: string, content: string): ModelTurn;
  /** A failing command is told as failed; where the stream hides it, `ok`. */
  failingShell: 'failed' | 'ok';
  /** Why a scenario does not exist for this agent. */
  without?: Partial<Record<Scenario, string>>;
}

export type Scenario = 'text' | 'tool' | 'failing tool' | 'edit' | 'API error' | 'interrupt' | 'resume' | 'approval';

const tool = (name: string, input: Record<string, unknown>): ModelTurn => ({ tools: [{ name, input }] });

const json = (sandbox: Sandbox, file: string, value: unknown): void => {
  const path = join(sandbox.home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
};

export const PEERS: readonly Peer[] = [
  {
    agent: 'claude',
    program: () => programAt('@anthropic-ai', `claude-code-${platform}`, 'claude'),
    model: startAnthropic,
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'x',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      IS_SANDBOX: '1',
    }),
    shell: (command) => tool('Bash', { command, description: 'run it' }),
    write: (file_path, content) => tool('Write', { file_path, content }),
    failingShell: 'failed',
  },
  {
    agent: 'codex',
    program: () => programAt('@openai', 'codex', 'bin', 'codex.js'),
    model: startOpenAiResponses,
    env: () => ({ STUB_KEY: 'x' }),
    setUp({ home }, { url }) {
      mkdirSync(join(home, '.codex'), { recursive: true });
      writeFileSync(
        join(home, '.codex', 'config.toml'),
        `model = "gpt-5.5"
model_provider = "stub"
[analytics]
enabled = false
[features]
plugins = false
[model_providers.stub]
name = "stub"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
env_key = "STUB_KEY"
`,
      );
    },
    shell: (cmd) => tool('exec_command', { cmd }),
    write: (path, content) =>
      tool('apply_patch', {
        freeform: `*** Begin Patch\n*** Add File: ${path}\n${content.replace(/\n$/, '').replace(/^/gm, '+')}\n*** End Patch`,
      }),
    failingShell: 'failed',
  },
  {
    agent: 'gemini',
    program: () => programAt('@google', 'gemini-cli', 'bundle', 'gemini.js'),
    model: startGoogle,
    env: ({ url }) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url }),
    setUp: (sandbox) =>
      json(sandbox, '.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    shell: (command) => tool('run_shell_command', { command, description: 'run it' }),
    write: (file_path, content) => tool('write_file', { file_path, content }),
    failingShell: 'ok',
    without: { approval: 'headless runs are never asked', interrupt: 'no channel for it: cancel is tested' },
  },
  {
    agent: 'pi',
    program: () => programAt('@mariozechner', 'pi-coding-agent', 'dist', 'cli.js'),
    model: startOpenAiChat,
    env: () => ({ PI_OFFLINE: '1' }),
    setUp: (sandbox, { url }) =>
      json(sandbox, '.pi/agent/models.json', {
        providers: {
          stub: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: 'x',
            compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
            models: [
              {
                id: 'stub-model',
                contextWindow: 128_000,
                maxTokens: 8192,
                cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
              },
            ],
          },
        },
      }),
    request: { model: 'stub/stub-model' },
    shell: (command) => tool('bash', { command }),
    write: (path, content) => tool('write', { path, content }),
    failingShell: 'failed',
    without: { approval: 'asks only through an extension' },
  },
];
