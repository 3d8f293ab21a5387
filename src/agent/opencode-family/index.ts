/** Makes the agents of the opencode family, which differ in their names and in nothing else that glassbox uses. */
import { type AcpOptions, createAcpProtocol } from '../acp/protocol.js';
import type { Agent } from '../agent.js';
import { BIN_DIRS } from '../argument.js';
import { PICTURES } from '../attachment.js';
import { createByFirstValue } from '../by-first-value.js';
import type { Capabilities } from '../capability.js';
import type { Hints } from '../fault.js';
import { isObject } from '../field.js';
import { inlineServersOnly } from '../mcp-config.js';
import type { AgentTrace } from '../presence.js';
import { familyCommand, outputFlags, reservedFlags, usesAcp } from './command.js';
import { detectMember, type Member } from './detect.js';
import { createStreamProtocol } from './stream.js';
import { toolKnowledge } from './tools.js';
import { createTranscripts } from './transcript.js';

export interface FamilyMember {
  trace: AgentTrace & Required<Pick<AgentTrace, 'folders'>>;
  install: string;
  /** How it begins the names of its environment variables. */
  prefix: string;
  member: Member;
  /** How it calls itself in the handshake of its conversations. */
  agentInfo: RegExp;
  hints: Hints;
}

export function createFamilyAgent({ trace, install, prefix, member, agentInfo, hints }: FamilyMember): Agent {
  const { name, title, programs, folders, presence } = trace;
  // Usage at the end of a turn is that of the last model call alone.
  const acp: AcpOptions = { hints, tools: toolKnowledge, hasTurnUsage: false };
  return {
    name,
    title,
    kind: name,
    program: {
      names: programs,
      install,
      searchDirs: [`~/.${name}/bin`, ...BIN_DIRS],
      versionArgs: ['--version'],
      dropEnv: [
        prefix,
        `${prefix}_PERMISSION`,
        `${prefix}_CLIENT`,
        `${prefix}_PID`,
        `${prefix}_RUN_ID`,
        `${prefix}_PROCESS_ROLE`,
      ],
      reservedFlags,
    },
    capabilities,
    attachments: PICTURES,
    outputFlags,
    openArgs: (sessionId) => ['--session', sessionId],
    cannot: inlineServersOnly,
    detect: (values) => detectMember(values, member, agentInfo),
    command: (request) => familyCommand(name, prefix, request),
    createProtocol(request) {
      if (request?.mode === undefined) {
        return createByFirstValue((value) =>
          isRpc(value) ? createAcpProtocol({}, acp) : createStreamProtocol({}, hints),
        );
      }
      return usesAcp(request) ? createAcpProtocol(request, acp) : createStreamProtocol(request, hints);
    },
    transcripts: createTranscripts(name, folders, hints),
    ...(presence && { presence }),
  };
}

function isRpc(value: unknown): boolean {
  return isObject(value) && 'jsonrpc' in value;
}

const capabilities: Capabilities = {
  deltas: 'in conversations (acp); `run` prints whole messages',
  thinking: true,
  approvals: 'in conversations (acp), where a refusal ends the turn; `run` refuses what would be asked',
  editInput: false,
  questions: false,
  interrupt: 'in conversations (acp); otherwise the run ends',
  followUp: 'in conversations (acp), after the current turn',
  resume: true,
  continueLast: true,
  fork: true,
  resumeAt: false,
  sessionId: false,
  model: 'as provider/model',
  addDirs: false,
  allowedTools: false,
  mcpConfig: 'inline JSON; not a path',
  systemPrompt: false,
  structuredOutput: false,
  maxTurns: false,
  cost: 'in conversations the total of the session',
  usage: 'of every step in `run`; not told in conversations',
};
