import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOpenAiResponses } from '../model/openai-responses.js';
import { callTool, type Peer } from '../peer.js';
import { programAt } from '../program.js';

export const codex: Peer = {
  agent: 'codex',
  program: () => programAt('@openai', 'codex', 'bin', 'codex.js'),
  model: startOpenAiResponses,
  env: () => ({ STUB_KEY: 'x' }),
  setUp({ home }, { url }) {
    mkdirSync(join(home, '.codex'), { recursive: true });
    writeFileSync(
      join(home, '.codex', 'config.toml'),
      `model = "gpt-5.5"
model_provider = "stub"
[analytics]
enabled = false
[features]
plugins = false
[model_providers.stub]
name = "stub"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
env_key = "STUB_KEY"
`,
    );
  },
  shell: (cmd) => callTool('exec_command', { cmd }),
  write: (path, content) =>
    callTool('apply_patch', {
      freeform: `*** Begin Patch\n*** Add File: ${path}\n${content.replace(/\n$/, '').replace(/^/gm, '+')}\n*** End Patch`,
    }),
  failingShell: 'failed',
};
