import { startOpenAiChat } from '../model/openai-chat.js';
import { callTool, type Peer } from '../peer.js';
import { platform, programAt } from '../program.js';

export const opencode: Peer = {
  agent: 'opencode',
  asks: { env: { OPENCODE_PERMISSION: JSON.stringify({ bash: 'ask' }) } },
  program: () => programAt(`opencode-${platform}`, 'bin', 'opencode'),
  model: startOpenAiChat,
  env: ({ url }) => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_CONFIG_CONTENT: familyConfig(url),
  }),
  shell: (command) => callTool('bash', { command, description: 'run it' }),
  write: (filePath, content) => callTool('write', { filePath, content }),
  failingShell: 'failed',
};

/** Kilo reads the same. */
export function familyConfig(url: string): string {
  const model = {
    name: 'Stub',
    tool_call: true,
    attachment: true,
    modalities: { input: ['text', 'image'], output: ['text'] },
    limit: { context: 128_000, output: 8192 },
    cost: { input: 1, output: 2 },
  };
  return JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    model: 'stub/stub-model',
    small_model: 'stub/stub-model',
    provider: {
      stub: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Stub',
        options: { baseURL: `${url}/v1`, apiKey: 'x' },
        models: { 'stub-model': model },
      },
    },
  });
}
