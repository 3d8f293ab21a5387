import { startAnthropic } from '../model/anthropic.js';
import { callTool, type Peer, writeJson } from '../peer.js';
import { platform, programAt } from '../program.js';

export const claude: Peer = {
  agent: 'claude',
  asks: { args: ['--permission-mode', 'default'] },
  program: () => programAt('@anthropic-ai', `claude-code-${platform}`, 'claude'),
  model: startAnthropic,
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-loopback',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    // As root the bypass is refused without this.
    IS_SANDBOX: '1',
  }),
  introduce: (sandbox) =>
    writeJson(sandbox, '.claude.json', {
      hasCompletedOnboarding: true,
      projects: { [sandbox.cwd]: { hasTrustDialogAccepted: true } },
      customApiKeyResponses: { approved: ['sk-loopback'], rejected: [] },
    }),
  shell: (command) => callTool('Bash', { command, description: 'run it' }),
  write: (file_path, content) => callTool('Write', { file_path, content }),
  failingShell: 'failed',
};
