/** How the recorded hosts of Claude Code talked to it, for `replay`. */

import type { RecordedHost } from '../../../src/agent/conformance/replay.js';
import { members, string } from '../../../src/agent/field.js';
import type { Action } from '../../../src/agent/index.js';
import type { DraftOf } from '../../../src/event/index.js';

type Message = Record<string, unknown>;
type Asked = DraftOf<'approval-request'>;

/** Requests that glassbox makes of it too; others are only asked for information, or by hosts with tools of their own. */
const SHARED = ['interrupt', 'set_permission_mode', 'set_model'];

export const claudeHost: RecordedHost = {
  request(said) {
    const first = said.find((message) => !isAside(message));
    return { permission: 'ask', prompt: first && textOf(first) };
  },
  action(said, asked): Action | 'never' {
    const text = textOf(said);
    if (text !== undefined) return { type: 'say', text };
    const { subtype, mode, model } = members(said.request);
    if (subtype === 'interrupt') return { type: 'interrupt' };
    if (subtype === 'set_permission_mode') return { type: 'set-permission', mode: String(mode) };
    if (subtype === 'set_model' && typeof model === 'string') return { type: 'set-model', model };
    return said.type === 'control_response' ? decisionOf(said, asked) : 'never';
  },
  isAside,
  meaning(said) {
    if (said.type === 'user') return textOf(said);
    if (said.type === 'control_request') return said.request;
    const { request_id: id, response } = members(said.response);
    const { toolUseID: _, content, ...body } = members(response);
    // Both mean no; glassbox has one word for it.
    if (body.action === 'cancel') body.action = 'decline';
    const filled = Object.keys(members(content)).length > 0 && { content };
    return { id, ...body, ...filled, ...(body.behavior === 'deny' && { interrupt: body.interrupt === true }) };
  },
};

function isAside({ type, request, response }: Message): boolean {
  const { subtype } = members(request);
  if (type === 'control_request') return !SHARED.includes(String(subtype));
  // What is refused, and what a server inside the host answers.
  return members(response).subtype === 'error' || 'mcp_response' in members(members(response).response);
}

function textOf({ type, message }: Message): string | undefined {
  return type === 'user' ? string(members(message).content) : undefined;
}

function decisionOf(said: Message, asked: Asked | undefined): Action {
  const { request_id: id, response } = members(said.response);
  const { behavior, action, message, interrupt, updatedInput, updatedPermissions, content, ...rest } =
    members(response);
  const who = { id: String(id), by: 'person' } as const;
  if (behavior === 'deny') return { type: 'deny', ...who, message: String(message), interrupt: interrupt === true };
  if (behavior === 'allow') {
    return { type: 'approve', ...who, input: updatedInput, remember: positionsOf(updatedPermissions) };
  }
  if (action === 'decline' || action === 'cancel') return { type: 'deny', ...who, message: '' };
  return { type: 'answer', ...who, answers: asked?.kind === 'hook' ? { action, message, ...rest } : members(content) };
}

/** Recorded hosts send all of them back, or none. */
function positionsOf(permissions: unknown): number[] | undefined {
  return Array.isArray(permissions) ? [...permissions.keys()] : undefined;
}
