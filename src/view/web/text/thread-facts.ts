/** What a sub-agent took, in a few words: time, money, tokens. */
import type { Usage } from '../../../event/index.js';
import { inputTokens, isTelling } from '../../../ledger/index.js';
import { entryAt, rowAt, type SessionState, selectThreadWhole } from '../../../session/index.js';
import { count, duration, tokens } from '../../../word/index.js';
import { money } from './format.js';

/** With all that it had done by others. What is not known is not said. */
export function threadFacts(state: SessionState, thread: number): string {
  const { durationMs, usd, usage } = selectThreadWhole(state, thread) ?? { thread };
  return [
    durationMs ? duration(durationMs) : '',
    usd === undefined ? '' : money({ usd, origin: 'computed' }),
    tokenText(state, thread, usage),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** As the agent counts them, else as the messages tell; some tell only what went in. */
function tokenText({ threads, tools, tasks }: SessionState, thread: number, usage: Usage | undefined): string {
  const told = rowAt(tasks, rowAt(tools, entryAt(threads, thread)?.tool)?.task)?.tokens;
  if (told) return `${count(told)} tokens`;
  if (!usage || !isTelling(usage)) return '';
  if (usage.outputTokens === undefined) return `${count(inputTokens(usage))} tokens in`;
  return `${tokens(usage) ?? 'unknown'} tokens`;
}
