import { startOpenAiChat } from '../model/openai-chat.js';
import { callTool, type Peer, writeJson } from '../peer.js';
import { programAt } from '../program.js';

export const pi: Peer = {
  agent: 'pi',
  program: () => programAt('@mariozechner', 'pi-coding-agent', 'dist', 'cli.js'),
  model: startOpenAiChat,
  env: () => ({ PI_OFFLINE: '1' }),
  setUp: (sandbox, { url }) =>
    writeJson(sandbox, '.pi/agent/models.json', {
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
  shell: (command) => callTool('bash', { command }),
  write: (path, content) => callTool('write', { path, content }),
  failingShell: 'failed',
};
