/** Gemini CLI behind the agent contract. */
import type { Agent } from '../agent.js';
import { command, outputFlags, program } from './command.js';
import { detect } from './detect.js';
import { hooks } from './hooks.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';
import { transcripts } from './transcript.js';

export const gemini: Agent = {
  name: trace.name,
  title: trace.title,
  kind: 'gemini_cli',
  program,
  outputFlags,
  openArgs: (sessionId) => ['--resume', sessionId],
  capabilities: {
    deltas: true,
    thinking: false,
    approvals: false,
    editInput: false,
    questions: false,
    interrupt: false,
    followUp: false,
    resume: true,
    continueLast: true,
    fork: false,
    resumeAt: false,
    sessionId: true,
    model: true,
    addDirs: true,
    allowedTools: true,
    mcpConfig: false,
    systemPrompt: false,
    structuredOutput: false,
    maxTurns: false,
    cost: false,
    usage: true,
  },
  cannot: ({ disallowedTools }) =>
    disallowedTools?.length
      ? 'be told which tools not to use (disallowedTools). Choose a permission that fits.'
      : undefined,
  detect,
  otherOutput: (head) => (WHOLE.test(head) ? ONE_OBJECT : undefined),
  command,
  createProtocol,
  presence: trace.presence,
  hooks,
  transcripts,
};

/** With `--output-format json`: one object when all is over, over many lines unless somebody made it one. */
const WHOLE =
  /^\s*\{(?:[ \t\r]*\n\s+"(?:session_id|response|stats|error)"|"session_id":"[^"]*","(?:response|stats|error)"):/;
const ONE_OBJECT =
  'This is what Gemini CLI prints with --output-format json: one object when all is over. Use --output-format stream-json.';
