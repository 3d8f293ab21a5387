/** The app-server's questions to a person, and a person's decisions in its words. */
import { defined, type Question, type Suggestion } from '../../event/index.js';
import { oneLine } from '../../word/index.js';
import type { Decision } from '../action.js';
import type { Ask } from '../chronicle/chronicle.js';
import { rememberedOf } from '../decision.js';
import { anyString, isObject, type Json, list, members, objects, string, strings } from '../field.js';
import { type Lasting, narrowestFirst, suggestionsOf } from '../suggestion.js';
import { SUMMARY_LIMITS } from '../tool-table.js';
import { changeTargets, commandTargets, targetsOf } from './tools.js';
import { commandInside } from './wire.js';

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
  // A command that runs already and wants to reach a host.
  const host = string(members(params.networkApprovalContext).host);
  const lasting = lastingDecisions(params.availableDecisions, raw ?? commandInside(command));
  return {
    request: {
      kind: 'tool',
      toolId: string(params.itemId),
      toolName: 'Bash',
      toolKind: 'execute',
      input: defined<Json>({ command, cwd: string(params.cwd) }),
      ...commandTargets(command),
      ...(host !== undefined && { hosts: [host] }),
      directory: string(params.cwd),
      summary: oneLine(raw ?? commandInside(command), SUMMARY_LIMITS.command),
      reason: string(params.reason),
      suggestions: suggestionsOf(lasting),
    },
    reply: (decision) => ({ decision: verdict(decision, lasting) }),
  };
}

/** Offered as decisions of their own, as an object or a word; the other words are answers for once. Without an offer every word counts. */
function lastingDecisions(offer: unknown, command: string): Lasting<unknown>[] {
  const offered = Array.isArray(offer) ? list(offer) : [FOR_SESSION];
  return narrowestFirst(
    offered.flatMap((form): Lasting<unknown>[] => {
      if (form === FOR_SESSION) return [{ suggestion: { allows: 'command', what: [command], lasts: 'session' }, form }];
      if (!isObject(form)) return [];
      const { acceptWithExecpolicyAmendment: prefix, applyNetworkPolicyAmendment: network } = form;
      const words = strings(members(prefix).execpolicy_amendment);
      if (words)
        return [
          { suggestion: { ...LASTING_RULE, allows: 'command', what: [`${words.map(quoted).join(' ')} *`] }, form },
        ];
      const { host, action } = members(members(network).network_policy_amendment);
      if (typeof host === 'string' && action !== 'deny')
        return [{ suggestion: { ...LASTING_RULE, allows: 'host', what: [host] }, form }];
      return [{ suggestion: { allows: 'other', what: [Object.keys(form).join(', ')], lasts: 'unknown' }, form }];
    }),
  );
}

const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const FOR_SESSION = 'acceptForSession';
const LASTING_RULE = { lasts: 'user', file: '~/.codex/rules/default.rules' } as const;

function askFileChange(params: Json, known: Known): Ask {
  const toolId = string(params.itemId);
  const changes = known.changesOf(toolId ?? '');
  const paths = strings(changes.map((change) => members(change).path)) ?? [];
  const lasting: Lasting<string>[] = [
    { suggestion: { allows: 'path', what: paths, lasts: 'session' }, form: FOR_SESSION },
  ];
  return {
    request: {
      kind: 'tool',
      toolId,
      toolName: 'Edit',
      toolKind: 'edit',
      input: { changes },
      ...changeTargets(changes),
      summary: paths.join(', '),
      reason: string(params.reason),
      blockedPath: string(params.grantRoot),
      suggestions: suggestionsOf(lasting),
    },
    reply: (decision) => ({ decision: verdict(decision, lasting) }),
  };
}

function askMcpTool(params: Json, known: Known): Ask {
  const meta = members(params._meta);
  const server = string(params.serverName) ?? '';
  const call = known.callOf(server);
  const toolName = `mcp__${server}__${call?.tool ?? ''}`;
  const lasting = (strings(meta.persist) ?? []).map((form): Lasting<string> => {
    const lasts = form === 'session' ? 'session' : form === 'always' ? 'user' : 'unknown';
    return { suggestion: { allows: 'tool', what: [toolName], lasts }, form };
  });
  return {
    request: {
      kind: 'tool',
      toolId: call?.id,
      toolName,
      toolKind: 'other',
      input: meta.tool_params,
      ...targetsOf(toolName, meta.tool_params),
      title: string(params.message),
      description: string(meta.tool_description),
      suggestions: suggestionsOf(lasting),
    },
    reply(decision) {
      const [remembered] = rememberedOf(decision, lasting);
      return { ...elicited(decision), _meta: remembered ? { persist: remembered.form } : null };
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
    ({ question, header, options, isSecret }): Question =>
      defined({
        question: anyString(question) ?? '',
        header: string(header),
        secret: isSecret === true ? true : undefined,
        options: Array.isArray(options)
          ? objects(options).map(({ label, description }) =>
              defined({ label: anyString(label) ?? '', description: string(description) }),
            )
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
      suggestions: [SAME_PERMISSIONS],
    },
    reply(decision) {
      if (decision.type !== 'approve') return { permissions: {}, scope: 'turn' };
      return {
        permissions: Object.fromEntries(wanted),
        scope: rememberedOf(decision, [SAME_PERMISSIONS]).length > 0 ? 'session' : 'turn',
      };
    },
  };
}

const SAME_PERMISSIONS: Suggestion = { allows: 'other', what: ['the same permissions'], lasts: 'session' };

/** `decline` lets the turn go on, `cancel` ends it. */
function verdict(decision: Decision, lasting: readonly Lasting<unknown>[]): unknown {
  if (decision.type !== 'approve') return decision.type === 'deny' && decision.interrupt ? 'cancel' : 'decline';
  return rememberedOf(decision, lasting)[0]?.form ?? 'accept';
}

function elicited(decision: Decision): Json {
  if (decision.type === 'deny') return { action: decision.interrupt ? 'cancel' : 'decline', content: null };
  return { action: 'accept', content: decision.type === 'answer' ? decision.answers : {} };
}
