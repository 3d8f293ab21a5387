import { startGoogle } from '../model/google.js';
import { callTool, DEAF, type Peer, writeJson } from '../peer.js';
import { programAt } from '../program.js';

export const gemini: Peer = {
  agent: 'gemini',
  // Its own choice of a model asks a model first.
  asks: { args: ['--model', 'gemini-2.5-flash'] },
  program: () => programAt('@google', 'gemini-cli', 'bundle', 'gemini.js'),
  model: startGoogle,
  env: ({ url }) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url }),
  setUp: (sandbox) =>
    writeJson(sandbox, '.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  // In a folder that is trusted only when it asks, it runs no hooks until it is started anew.
  introduce: (sandbox) => writeJson(sandbox, '.gemini/trustedFolders.json', { [sandbox.cwd]: 'TRUST_FOLDER' }),
  shell: (command) => callTool('run_shell_command', { command, description: 'run it' }),
  write: (file_path, content) => callTool('write_file', { file_path, content }),
  failingShell: 'ok',
  cannot: { interrupt: DEAF, 'follow-up': DEAF, approval: 'headless, it refuses what it would ask' },
};
