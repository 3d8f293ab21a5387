/** The app-server's questions to a person, and a person's decisions in its words. */
import type { Question } from '../../event/index.js';
import type { Body } from '../chronicle.js';
import type { Decision } from '../decision.js';
import { anyString, isObject, type Json, list, members, objects, string, strings } from '../field.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';
import { commandInside } from './wire.js';

export interface Ask {
  request: Omit<Body<'approval-request'>, 'id'>;
  /** The result of the server's request for a decision. */
  reply(decision: Decision): Json;
}

/** What the server may have said before about the item that it asks about. */
export interface Known {
  /** The changes of an open file change. */
  changesOf(itemId: string): readonly unknown[];
  /** The open call of a tool of this MCP server. */
  callOf(server: string): { id: string; tool: string } | undefined;
}

/** Absent for requests that are not questions to a person. */
export function askFrom(method: string, params: Json, known: Known): Ask | undefined {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return askCommand(params);
    case 'item/fileChange/requestApproval':
      return askFileChange(params, known);
    case 'mcpServer/elicitation/request':
      return members(params._meta).codex_approval_kind === 'mcp_tool_call'
        ? askMcpTool(params, known)
        : askElicitation(params);
    case 'item/tool/requestUserInput':
      return askQuestions(params);
    case 'item/permissions/requestApproval':
      return askPermissions(params);
    default:
      return undefined;
  }
}

function askCommand(params: Json): Ask {
  const command = anyString(params.command) ?? '';
  const actions = objects(params.commandActions);
  const raw = actions.length === 1 ? string(actions[0]?.command) : undefined;
  // What "always" means is offered as a decision of its own, an object; plain words are the answers for once.
  const offered = list(params.availableDecisions);
  const lasting = offered.filter((decision) => isObject(decision) || decision === 'acceptForSession');
  return {
    request: {
      kind: 'tool',
      toolId: string(params.itemId),
      toolName: 'Bash',
      toolKind: 'execute',
      input: { command, cwd: string(params.cwd) },
      summary: oneLine(raw ?? commandInside(command), SUMMARY_LIMITS.command),
      reason: string(params.reason),
      suggestions: lasting.length > 0 ? lasting : undefined,
    },
    reply: (decision) => ({ decision: verdict(decision, lasting[0] ?? 'acceptForSession') }),
  };
}

function askFileChange(params: Json, known: Known): Ask {
  const toolId = string(params.itemId);
  const changes = known.changesOf(toolId ?? '');
  const paths = strings(changes.map((change) => members(change).path)) ?? [];
  return {
    request: {
      kind: 'tool',
      toolId,
      toolName: 'Edit',
      toolKind: 'edit',
      input: { changes },
      summary: paths.join(', '),
      reason: string(params.reason),
      blockedPath: string(params.grantRoot),
      suggestions: ['acceptForSession'],
    },
    reply: (decision) => ({ decision: verdict(decision, 'acceptForSession') }),
  };
}

function askMcpTool(params: Json, known: Known): Ask {
  const meta = members(params._meta);
  const server = string(params.serverName) ?? '';
  const call = known.callOf(server);
  const lasting = strings(meta.persist)?.[0];
  return {
    request: {
      kind: 'tool',
      toolId: call?.id,
      toolName: `mcp__${server}__${call?.tool ?? ''}`,
      toolKind: 'other',
      input: meta.tool_params,
      title: string(params.message),
      description: string(meta.tool_description),
      suggestions: lasting === undefined ? undefined : [{ persist: lasting }],
    },
    reply(decision) {
      const remember = decision.type === 'approve' && decision.remember === true && lasting !== undefined;
      return { ...elicited(decision), _meta: remember ? { persist: lasting } : null };
    },
  };
}

function askElicitation(params: Json): Ask {
  return {
    request: {
      kind: 'elicitation',
      title: string(params.message),
      description: string(params.serverName),
      answerSchema: params.requestedSchema,
      url: string(params.url),
    },
    reply: (decision) => ({ ...elicited(decision), _meta: null }),
  };
}

function askQuestions(params: Json): Ask {
  const asked = objects(params.questions);
  const questions = asked.map(
    ({ question, header, options }): Question => ({
      question: anyString(question) ?? '',
      header: string(header),
      options: Array.isArray(options)
        ? objects(options).map(({ label, description }) => ({
            label: anyString(label) ?? '',
            description: string(description),
          }))
        : undefined,
    }),
  );
  return {
    request: { kind: 'question', toolId: string(params.itemId), questions },
    reply(decision) {
      const given = decision.type === 'answer' ? decision.answers : {};
      const answers = asked.flatMap(({ id, question }) => {
        const answer = given[anyString(question) ?? ''] ?? given[anyString(id) ?? ''];
        return answer === undefined ? [] : [[anyString(id) ?? '', { answers: [answer].flat().map(String) }]];
      });
      return { answers: Object.fromEntries(answers) };
    },
  };
}

function askPermissions(params: Json): Ask {
  const wanted = Object.entries(members(params.permissions)).filter(([, value]) => value !== null);
  return {
    request: {
      kind: 'other',
      toolId: string(params.itemId),
      input: params.permissions,
      reason: string(params.reason),
      suggestions: ['session'],
    },
    reply(decision) {
      if (decision.type !== 'approve') return { permissions: {}, scope: 'turn' };
      return { permissions: Object.fromEntries(wanted), scope: decision.remember === true ? 'session' : 'turn' };
    },
  };
}

/** `decline` lets the turn go on, `cancel` ends it. */
function verdict(decision: Decision, lasting: unknown): unknown {
  if (decision.type !== 'approve') return decision.type === 'deny' && decision.interrupt ? 'cancel' : 'decline';
  return decision.remember === true ? lasting : 'accept';
}

function elicited(decision: Decision): Json {
  if (decision.type === 'deny') return { action: decision.interrupt ? 'cancel' : 'decline', content: null };
  return { action: 'accept', content: decision.type === 'answer' ? decision.answers : {} };
}
