import { startOpenAiChat } from '../model/openai-chat.js';
import { callTool, DEAF, type Peer, writeJson } from '../peer.js';
import { platform, programAt } from '../program.js';

export const cline: Peer = {
  agent: 'cline',
  asks: { args: ['--auto-approve', 'false'] },
  program: () => programAt('@cline', `cli-${platform}`, 'bin', 'cline'),
  model: startOpenAiChat,
  env: () => ({}),
  setUp: (sandbox, { url }) =>
    writeJson(sandbox, '.cline/data/settings/providers.json', {
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: {
            provider: 'openai-compatible',
            apiKey: 'sk-loopback',
            model: 'stub-model',
            baseUrl: `${url}/v1`,
          },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  shell: (command) => callTool('run_commands', { commands: [command] }),
  write: (path, new_text) => callTool('editor', { path, new_text }),
  failingShell: 'failed',
  cannot: {
    interrupt: DEAF,
    'follow-up': DEAF,
    resume: 'its stream does not tell the id of the session',
    approval: 'headless, it refuses what it would ask',
  },
};
