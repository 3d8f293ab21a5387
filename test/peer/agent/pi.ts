import { delimiter } from 'node:path';
import { startOpenAiChat } from '../model/openai-chat.js';
import { callTool, type Peer, writeJson } from '../peer.js';
import { newerNode, scriptAt } from '../program.js';

export const pi: Peer = {
  agent: 'pi',
  program: () => scriptAt('pi', '@earendil-works', 'pi-coding-agent', 'dist', 'bundle', 'cli.js'),
  model: startOpenAiChat,
  env: () => ({ PATH: [newerNode(), process.env.PATH].join(delimiter), PI_OFFLINE: '1' }),
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
              input: ['text', 'image'],
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

/** The last release under its first name, which runs on older Nodes. */
export const piBefore: Peer = {
  ...pi,
  name: 'pi 0.73.1',
  program: () => scriptAt('pi', '@mariozechner', 'pi-coding-agent', 'dist', 'cli.js'),
  env: () => ({ PI_OFFLINE: '1' }),
};
