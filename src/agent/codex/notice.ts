/** The app-server's notices that are neither items nor turns: warnings, limits, plans, hooks, the state of things. */

import type { ErrorCategory, ErrorFacts, McpServer, Todo } from '../../event/index.js';
import type { Chronicle } from '../chronicle/chronicle.js';
import { anyString, isObject, type Json, list, lookUp, members, number, objects, string } from '../field.js';
import { mcpServer } from '../mcp-servers.js';
import { codexFault, retryIn } from './fault.js';
import { readLimits } from './limit.js';

export type NoticeWriter = (method: string, params: Json, parent: string | undefined) => boolean;

/** Writes a notice; false when this version does not know it. */
export function createNoticeWriter(chronicle: Chronicle): NoticeWriter {
  const servers = new Map<string, McpServer>();
  let state: string | undefined;

  const notices: Readonly<Record<string, (params: Json, parent: string | undefined) => void>> = {
    error({ error, willRetry }, parent) {
      const facts = errorFacts(error);
      if (willRetry !== true) chronicle.write({ type: 'agent-error', fatal: true, ...facts }, parent);
      else {
        const why = string(members(error).additionalDetails) ?? facts.message;
        const { httpStatus } = facts;
        chronicle.write({ ...(retryIn(facts.message) ?? { type: 'retry' }), why, httpStatus }, parent);
      }
    },
    warning: (params, parent) => warn('agent-warning', params.message, parent),
    guardianWarning: (params, parent) => warn('guardian-warning', params.message, parent),
    configWarning: (params, parent) => warn('config-warning', params.summary, parent),
    deprecationNotice: (params, parent) => warn('deprecation', params.summary, parent),
    'thread/status/changed'({ status }, parent) {
      const next = stateOf(members(status));
      if (parent !== undefined || next === state || chronicle.sessionId === undefined) return;
      state = next;
      chronicle.write({ type: 'session-update', state: next });
    },
    'thread/name/updated'(params, parent) {
      const title = string(params.threadName) ?? string(params.name);
      if (parent === undefined && title !== undefined) chronicle.write({ type: 'session-update', title });
    },
    'mcpServer/startupStatus/updated'({ name, status, error }, parent) {
      const server = mcpServer(name, status);
      servers.set(server.name, server);
      chronicle.write({ type: 'session-update', mcpServers: [...servers.values()] }, parent);
      if (string(error) !== undefined) warn('mcp-server-failed', `${server.name}: ${error}`, parent);
    },
    'account/rateLimits/updated'({ rateLimits }) {
      const limit = readLimits(rateLimits);
      if (limit) chronicle.write(limit);
    },
    'turn/plan/updated'({ plan }, parent) {
      const todos = objects(plan).map(
        ({ step, status }): Todo => ({
          text: anyString(step) ?? '',
          status: status === 'completed' ? 'done' : status === 'inProgress' ? 'active' : 'pending',
        }),
      );
      chronicle.write({ type: 'todo-update', todos }, parent);
    },
    'hook/completed'({ run }, parent) {
      const { id, eventName, status, entries } = members(run);
      const event = string(eventName);
      const output = objects(entries).flatMap((entry) => string(entry.text) ?? []);
      const outcome = status === 'completed' ? 'ok' : status === 'stopped' ? 'cancelled' : 'failed';
      const hook = { id: anyString(id) ?? '', name: event ?? 'hook', event };
      chronicle.endHook({ ...hook, outcome, output: output.join('\n') }, parent);
    },
    'item/mcpToolCall/progress'({ itemId, message }) {
      chronicle.continueTool({ type: 'tool-progress', id: anyString(itemId) ?? '', text: string(message) });
    },
    'item/commandExecution/outputDelta'({ itemId, delta }) {
      chronicle.continueTool({ type: 'tool-output-delta', id: anyString(itemId) ?? '', text: anyString(delta) ?? '' });
    },
    'item/commandExecution/terminalInteraction'({ itemId, stdin }) {
      chronicle.continueTool({
        type: 'tool-progress',
        id: anyString(itemId) ?? '',
        text: `stdin: ${anyString(stdin)?.trim()}`,
      });
    },
  };

  function warn(code: string, message: unknown, parent: string | undefined): void {
    chronicle.write({ type: 'warning', code, message: string(message) ?? 'unspecified' }, parent);
  }

  return (method, params, parent) => {
    const write = lookUp(notices, method);
    write?.(params, parent);
    return write !== undefined || SILENT.has(method);
  };
}

/** Known (0.166), with nothing in them for a reader; `turn/diff/updated` only repeats what the file changes carry. */
const SILENT: ReadonlySet<string> = new Set(
  `turn/diff/updated
  thread/readState/changed thread/archived thread/deleted thread/unarchived thread/closed thread/reverted
  skills/changed thread/attachment/updated thread/goal/updated thread/prediction/updated thread/goal/cleared
  thread/queue/changed project/changed thread/project/updated thread/environment/connected
  thread/environment/disconnected thread/settings/updated hook/started item/autoApprovalReview/started
  item/autoApprovalReview/completed autoApprovalReview/strictReviewRequired rawResponseItem/completed
  rawResponse/completed item/plan/delta command/exec/outputDelta process/outputDelta process/exited
  item/fileChange/outputDelta item/fileChange/patchUpdated mcpServer/oauthLogin/completed
  mcpServer/event/stream/notification account/updated account/gatewayOAuth/changed app/list/updated
  remoteControl/status/changed fs/changed item/reasoning/summaryPartAdded thread/compacted model/verification
  modelProvider/authRecoveryStarted modelProvider/authRecoveryCompleted turn/moderationMetadata
  model/safetyBuffering/updated account/login/completed`.split(/\s+/),
);

export function errorFacts(error: unknown): ErrorFacts {
  const { message, codexErrorInfo } = members(error);
  // Either a word, or an object with one word that holds the HTTP status.
  const [word, detail] = isObject(codexErrorInfo)
    ? (Object.entries(codexErrorInfo)[0] ?? [])
    : [anyString(codexErrorInfo)];
  const httpStatus = number(members(detail).httpStatusCode);
  return codexFault(string(message) ?? 'The turn failed.', httpStatus, lookUp(CATEGORIES, word));
}

const CATEGORIES: Readonly<Record<string, ErrorCategory>> = {
  contextWindowExceeded: 'context-limit',
  sessionBudgetExceeded: 'billing',
  usageLimitExceeded: 'billing',
  rateLimitExceeded: 'rate-limit',
  serverOverloaded: 'overloaded',
  modelNotFound: 'model-not-found',
  cyberPolicy: 'refusal',
  misalignmentPolicyViolation: 'refusal',
  internalServerError: 'server',
  unauthorized: 'auth',
  badRequest: 'invalid-request',
};

function stateOf({ type, activeFlags }: Json): 'idle' | 'running' | 'waiting' {
  if (type !== 'active') return 'idle';
  return list(activeFlags).some((flag) => /^waitingOn/.test(String(flag))) ? 'waiting' : 'running';
}
