import { startAmp } from '../model/amp.js';
import { callTool, type Peer } from '../peer.js';
import { programAt } from '../program.js';

export const amp: Peer = {
  agent: 'amp',
  program: () => programAt('@sourcegraph', 'amp', 'dist', 'main.js'),
  model: startAmp,
  env: ({ url }) => ({ AMP_URL: url, AMP_API_KEY: 'sk-loopback', AMP_SKIP_UPDATE_CHECK: '1' }),
  shell: (cmd) => callTool('Bash', { cmd }),
  write: (path, content) => callTool('create_file', { path, content }),
  failingShell: 'failed',
  cannot: { interrupt: 'a signal ends the run with its turn', approval: 'headless, it refuses what it would ask' },
};
