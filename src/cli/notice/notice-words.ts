/** The words of notices: ours alone. Of an agent nothing is told but its name and the kind of tool that it asks about. */
import type { ApprovalKind, EndReason, EventOf, ToolKind } from '../../event/index.js';

const TOOLS: Readonly<Record<ToolKind, string>> = {
  read: 'to read a file',
  edit: 'to edit a file',
  delete: 'to delete a file',
  move: 'to move a file',
  search: 'to search files',
  execute: 'to run a command',
  think: 'to think',
  fetch: 'to fetch something',
  other: 'to use a tool',
};

const KINDS: Readonly<Record<ApprovalKind, string>> = {
  tool: TOOLS.other,
  plan: 'to begin with its plan',
  question: 'for an answer',
  elicitation: 'for an answer',
  hook: 'for an answer',
  other: 'for an answer',
};

const ENDS: Readonly<Record<EndReason, string>> = {
  finished: 'has finished',
  failed: 'has failed',
  cancelled: 'was stopped',
  'timed-out': 'ran out of time',
  stalled: 'did nothing any more',
  'over-budget': 'spent its budget',
  'max-turns': 'took all its turns',
  crashed: 'crashed',
  'spawn-failed': 'could not be started',
};

export function waitingWords(
  agent: string,
  { kind, toolKind }: Pick<EventOf<'approval-request'>, 'kind' | 'toolKind'>,
) {
  const about = kind === 'tool' && toolKind ? TOOLS[toolKind] : KINDS[kind];
  return `${nameOf(agent)} waits for you: ${about ?? KINDS.other}`;
}

export const workingWords = (agent: string): string => `${nameOf(agent)} works`;

export const endWords = (agent: string, reason: EndReason): string => `${nameOf(agent)} ${ENDS[reason] ?? 'has ended'}`;

/** An agent's package chose it: a word, or nothing. */
export const nameOf = (agent: string): string => (/^[a-z][\w-]{0,30}$/i.test(agent) ? agent : 'the agent');
