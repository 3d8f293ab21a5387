import { startOpenAiChat } from '../model/openai-chat.js';
import { callTool, DEAF, type Peer } from '../peer.js';
import { programAt } from '../program.js';

export const copilot: Peer = {
  agent: 'copilot',
  program: () => programAt('@github', 'copilot', 'npm-loader.js'),
  model: startOpenAiChat,
  env: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    // It stars out its key wherever it prints, so not one letter.
    COPILOT_PROVIDER_API_KEY: 'sk-loopback',
    COPILOT_MODEL: 'gpt-4.1',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  shell: (command) => callTool('bash', { command, description: 'run it' }),
  write: (path, file_text) => callTool('create', { path, file_text }),
  failingShell: 'failed',
  cannot: { interrupt: DEAF, 'follow-up': DEAF, approval: 'headless, it refuses what it would ask' },
};
