import { startOpenAiChat } from '../model/openai-chat.js';
import { callTool, type Peer, writeJson } from '../peer.js';
import { platform, programAt } from '../program.js';

export const droid: Peer = {
  agent: 'droid',
  program: () => programAt('@factory', `cli-${platform}`, 'bin', 'droid'),
  model: startOpenAiChat,
  env: () => ({
    FACTORY_API_KEY: 'fk-loopback',
    FACTORY_AIRGAP_ENABLED: 'true',
    FACTORY_DISABLE_KEYRING: '1',
    FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
  }),
  setUp: (sandbox, { url }) =>
    writeJson(sandbox, '.factory/settings.json', {
      customModels: [
        {
          model: 'stub-model',
          id: 'custom:stub-0',
          displayName: 'stub',
          baseUrl: `${url}/v1`,
          apiKey: 'sk-loopback',
          provider: 'generic-chat-completion-api',
          maxOutputTokens: 8192,
          noImageSupport: false,
        },
      ],
      cloudSessionSync: false,
      trustedFolders: { [sandbox.cwd]: { trustedAt: '2026-01-01T00:00:00.000Z' } },
    }),
  request: { model: 'custom:stub-0' },
  shell: (command) =>
    callTool('Execute', { command, summary: 'run it', riskLevel: 'low', riskLevelReason: 'harmless', timeout: 400 }),
  write: (file_path, content) => callTool('Create', { file_path, content }),
  failingShell: 'failed',
};
