/** How much an agent may do without asking, in words: as it was started, and as it is now where the agent tells. */
import type { StartRequest } from '../../../client/index.js';
import type { Run } from '../../../session/index.js';

export type Permission = NonNullable<StartRequest['permission']>;

export const PERMISSION_WORDS: Record<Permission, string> = {
  ask: 'Ask me',
  'accept-edits': 'Edit files freely, ask for the rest',
  plan: 'Only plan',
  deny: 'Deny what needs asking',
  bypass: 'Allow everything (dangerous)',
};

/** An agent may change its mode at any time, so what it was started with is not called what is in force. */
export function permissionText(started: Permission | undefined, run: Run | undefined): string {
  const mode = run?.facts.permissionMode;
  const atStart = started && `permission at start: ${PERMISSION_WORDS[started]}`;
  const now = mode !== undefined && mode !== run?.firstMode ? `mode now: ${mode}` : undefined;
  return [now, atStart].filter(Boolean).join(', ');
}
