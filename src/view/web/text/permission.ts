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

/** For an agent that never asks. */
const UNASKED_WORDS: Record<Permission, string> = {
  ...PERMISSION_WORDS,
  'accept-edits': 'Edit files freely, deny the rest',
};

/** What it means for somebody who has to choose. */
const MEANINGS: Record<Permission, string> = {
  ask: 'It asks you before anything that neither its own settings nor your rules allow.',
  'accept-edits': 'It changes files in the folder without asking, and asks you about commands and everything else.',
  plan: 'It reads and proposes. Nothing is changed until you agree to its plan.',
  deny: 'It is refused whatever it would have to ask for. Nobody is disturbed.',
  bypass: 'Nothing is asked: it may run any command and change any file that you may change.',
};

const UNASKED_MEANINGS: Record<Permission, string> = {
  ...MEANINGS,
  'accept-edits': 'It changes files in the folder without asking. What else it would have to ask for is refused.',
  plan: 'It reads and proposes. Nothing is changed.',
};

/** `asks`: whether the agent can ask at all. */
export function permissionWords(permission: Permission, asks: boolean): { name: string; meaning: string } {
  const [words, meanings] = asks ? [PERMISSION_WORDS, MEANINGS] : [UNASKED_WORDS, UNASKED_MEANINGS];
  return { name: words[permission], meaning: meanings[permission] };
}

/** An agent may change its mode at any time, so what it was started with is not called what is in force. */
export function permissionText(started: Permission | undefined, run: Run | undefined): string {
  const mode = run?.facts.permissionMode;
  const atStart = started && `permission at start: ${PERMISSION_WORDS[started]}`;
  const now = mode !== undefined && mode !== run?.firstMode ? `mode now: ${mode}` : undefined;
  return [now, atStart].filter(Boolean).join(', ');
}
