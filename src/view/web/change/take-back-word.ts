/** What is said about a way back before it is gone. */
import type { RewindPlan } from '../../../client/index.js';

const LEFT: Record<string, string> = {
  'too-large': 'it is too large to be kept',
  unreadable: 'it cannot be read',
  repository: 'it is a repository of its own',
  name: 'its name is not readable',
  'not-kept': 'what stands there now could not be had back',
  'changed-meanwhile': 'it changed at this very moment',
};

export function whyLeft(why: string | undefined): string {
  return LEFT[why ?? ''] ?? 'nothing was to be done';
}

/** Whatever goes back. */
export function planRemarks({ late, movedHead }: RewindPlan): string[] {
  return [
    late ? 'What is kept may hold a part of what the agent did just after: it was slow.' : '',
    movedHead ? 'Commits were made since. They stay as they are.' : '',
  ].filter(Boolean);
}

export function conversationText({ turn, cannot }: NonNullable<RewindPlan['conversation']>): string {
  if (cannot !== undefined) return `The conversation does not go back: ${cannot}.`;
  return turn === 0
    ? 'The conversation goes back too: your next message begins a new one.'
    : `The conversation goes back too: your next message goes on after turn ${turn}, without what came later.`;
}
