import { delimiter } from 'node:path';
import { startOpenAiChat } from '../model/openai-chat.js';
import { callTool, type Peer } from '../peer.js';
import { newerNode, scriptAt } from '../program.js';

export const kimi: Peer = {
  agent: 'kimi',
  program: () => scriptAt('kimi', '@moonshot-ai', 'kimi-code', 'dist', 'main.mjs'),
  model: startOpenAiChat,
  env: ({ url }) => ({
    PATH: [newerNode(), process.env.PATH].join(delimiter),
    KIMI_MODEL_NAME: 'stub-model',
    KIMI_MODEL_API_KEY: 'x',
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_BASE_URL: `${url}/v1`,
    KIMI_CODE_NO_AUTO_UPDATE: '1',
  }),
  shell: (command) => callTool('Bash', { command }),
  write: (path, content) => callTool('Write', { path, content }),
  failingShell: 'failed',
};
