/** What a hook's news say of their session. */
import type { HookCall, HookMoment } from '../agent/hooks.js';
import { lineFor } from '../consent/index.js';
import { redactText } from '../decode/index.js';
import type { Evidence } from '../presence/index.js';

/** Undefined for news that change nothing. */
export function hookEvidence({ what, part, call }: HookCall, at: number): Evidence | undefined {
  const says = SAYS[what];
  // When a sub-agent is done, whoever started it goes on.
  if (says === undefined || (part !== undefined && says === 'idle')) return undefined;
  const told = { source: 'hook', says, at, text: `a hook told: ${WORDS[what]}` } as const;
  if (says !== 'waiting') return told;
  if (!call) return { ...told, for: { kind: 'approval', text: 'a question' } };
  const kind = call.request.kind === 'question' ? 'question' : 'approval';
  return {
    ...told,
    for: { kind, text: redactText(lineFor({ type: 'approval-request', id: '', turn: 0, ...call.request })) },
  };
}

const SAYS: Readonly<Partial<Record<HookMoment, Evidence['says']>>> = {
  'session-start': 'idle',
  prompt: 'working',
  'tool-start': 'working',
  'tool-end': 'working',
  'turn-end': 'idle',
  ask: 'waiting',
  'session-end': 'ended',
};

const WORDS: Readonly<Record<HookMoment, string>> = {
  'session-start': 'a session began',
  prompt: 'something was said to it',
  'tool-start': 'a tool starts',
  'tool-end': 'a tool ended',
  'turn-end': 'its turn ended',
  ask: 'it asks',
  'session-end': 'the session ended',
  notice: 'a notice',
};
