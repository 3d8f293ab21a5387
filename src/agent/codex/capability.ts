import type { Capabilities } from '../capability.js';

export const capabilities: Capabilities = {
  deltas: 'in conversations (app-server); `exec` prints whole messages',
  thinking: 'summaries; raw thoughts only from models that give them',
  approvals: 'in conversations (app-server); `exec` never asks',
  editInput: false,
  questions:
    'in conversations (app-server): forms of MCP servers; its own only with `--enable default_mode_request_user_input`',
  interrupt: 'in conversations (app-server); otherwise the run ends',
  followUp: 'in conversations (app-server)',
  resume: true,
  continueLast: true,
  fork: true,
  sessionId: false,
  model: true,
  addDirs: true,
  allowedTools: false,
  mcpConfig: 'inline JSON; not a path',
  systemPrompt: 'as developer instructions, besides its own',
  structuredOutput: 'asked for; Codex does not check the answer against the schema',
  maxTurns: false,
  cost: 'computed from published prices, for known models; sub-agents are not counted',
  usage: 'the total of the whole thread after a resume',
};
