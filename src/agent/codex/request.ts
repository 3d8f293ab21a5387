/** What glassbox asks of the app-server: a handshake, a thread, turns. */
import type { Said } from '../attachment.js';
import type { CommandRequest, Permission } from '../command.js';
import type { Json } from '../field.js';
import { configuration, sandboxes } from './command.js';

export const initializeParams: Json = {
  clientInfo: { name: 'glassbox', title: 'glassbox', version: '1' },
  capabilities: null,
};

/** The request that opens the thread. For the latest session its id has to be asked for first. */
export function openThread(request: Partial<CommandRequest>): { method: string; params: Json } {
  const { resume, fork, resumeAt } = request;
  if (resume === undefined) return { method: 'thread/start', params: threadParams(request) };
  if (resume === 'latest')
    return { method: 'thread/list', params: { limit: 1, ...(request.cwd && { cwd: request.cwd }) } };
  const params = { threadId: resume, ...threadParams(request), excludeTurns: true };
  if (resumeAt !== undefined) return { method: 'thread/fork', params: { ...params, lastTurnId: resumeAt } };
  return { method: fork ? 'thread/fork' : 'thread/resume', params };
}

/** Absent fields leave the thread as the user configured it. */
function threadParams({ cwd, model, permission, systemPrompt, ...request }: Partial<CommandRequest>): Json {
  const config = nested(configuration(request));
  const roots = request.addDirs ?? [];
  if (roots.length > 0) config.sandbox_workspace_write = { writable_roots: roots };
  return {
    ...(cwd !== undefined && { cwd }),
    ...(model !== undefined && { model }),
    ...(permission !== undefined && { sandbox: sandboxes[permission], approvalPolicy: approvalPolicies[permission] }),
    ...(systemPrompt !== undefined && { developerInstructions: systemPrompt }),
    ...(Object.keys(config).length > 0 && { config }),
  };
}

/** What changes for the turns to come when somebody chooses another permission. */
export function turnPermission(permission: Permission): Json {
  return { approvalPolicy: approvalPolicies[permission], sandboxPolicy: { type: sandboxPolicies[permission] } };
}

export function inputOf({ text, attachments = [] }: Said): Json[] {
  const pictures = attachments.map(({ mimeType, data }) => ({ type: 'image', url: `data:${mimeType};base64,${data}` }));
  return [...pictures, { type: 'text', text, text_elements: [] }];
}

const approvalPolicies: Readonly<Record<Permission, string>> = {
  // Asks before every command and change; `on-request` asks only when the model wants out of its sandbox.
  ask: 'untrusted',
  'accept-edits': 'on-request',
  plan: 'never',
  deny: 'never',
  bypass: 'never',
};

const sandboxPolicies: Readonly<Record<Permission, string>> = {
  ask: 'workspaceWrite',
  'accept-edits': 'workspaceWrite',
  plan: 'readOnly',
  deny: 'readOnly',
  bypass: 'dangerFullAccess',
};

/** `mcp_servers.name` → `{ mcp_servers: { name } }`. */
function nested(flat: Record<string, unknown>): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(flat)) {
    const [key = path, ...rest] = path.split('.');
    if (rest.length === 0) config[key] = value;
    else config[key] = { ...(config[key] as Json | undefined), [rest.join('.')]: value };
  }
  return config;
}
