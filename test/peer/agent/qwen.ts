import { delimiter } from 'node:path';
import { startOpenAiChat } from '../model/openai-chat.js';
import { callTool, type Peer, writeJson } from '../peer.js';
import { newerNode, programAt } from '../program.js';

export const qwen: Peer = {
  agent: 'qwen',
  // Not the script itself, which would run with the Node of the tests; it needs 22.
  program: () => programAt('.bin', 'qwen'),
  model: startOpenAiChat,
  env: ({ url }) => ({
    PATH: [newerNode(), process.env.PATH].join(delimiter),
    OPENAI_API_KEY: 'x',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'stub-model',
  }),
  setUp: (sandbox) =>
    writeJson(sandbox, '.qwen/settings.json', {
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  shell: (command) => callTool('run_shell_command', { command, description: 'run it', is_background: false }),
  write: (file_path, content) => callTool('write_file', { file_path, content }),
  failingShell: 'failed',
};
