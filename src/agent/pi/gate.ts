/**
 * pi runs every tool without asking. This extension, which glassbox brings along to a conversation, makes it ask: each call
 * becomes a dialog on pi's own wire, and the answer allows, changes or blocks it.
 */

import type { Decision } from '../action.js';
import type { Json } from '../field.js';

/** How a dialog of the gate begins; what follows is the call as JSON. */
export const GATE_TITLE = 'glassbox-gate ';

export interface Gate {
  /** Tools that are never asked about. */
  free: readonly string[] | 'all';
  /** Tools that are refused without asking. */
  blocked: readonly string[];
}

/** The extension's source. */
export function gateSource({ free, blocked }: Gate): string {
  return `// Written by glassbox for one run.
export default function (pi) {
  const free = new Set(${JSON.stringify(free === 'all' ? [] : free)});
  const blocked = new Set(${JSON.stringify(blocked)});
  pi.on('tool_call', async (event, ctx) => {
    if (blocked.has(event.toolName)) return { block: true, reason: 'This tool is not allowed.' };
    if (${free === 'all'} || free.has(event.toolName)) return undefined;
    if (!ctx.hasUI) return { block: true, reason: 'Nobody can be asked.' };
    const call = { id: event.toolCallId, name: event.toolName, input: event.input };
    const text = await ctx.ui.select(${JSON.stringify(GATE_TITLE)} + JSON.stringify(call), ['allow', 'deny']);
    let answer = {};
    try {
      answer = JSON.parse(text ?? '{}');
    } catch {}
    if (answer.verdict !== 'allow') return { block: true, reason: answer.reason ?? 'Declined by the user.' };
    if (answer.remember) free.add(event.toolName);
    if (answer.input) {
      for (const key of Object.keys(event.input)) delete event.input[key];
      Object.assign(event.input, answer.input);
    }
    return undefined;
  });
}
`;
}

/** What the gate understands as an answer. */
export function gateAnswer(decision: Decision): string {
  const answer: Json =
    decision.type === 'approve'
      ? { verdict: 'allow', remember: (decision.remember ?? []).length > 0, input: decision.input }
      : { verdict: 'deny', reason: decision.type === 'deny' ? decision.message : undefined };
  return JSON.stringify(answer);
}
