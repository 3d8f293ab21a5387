/** What Cline says about its own recovery: compactions and model calls that are tried again. */
import type { Chronicle } from '../chronicle/chronicle.js';
import { type Json, members, number, string } from '../field.js';

/** A notice says its kind and phase in words of its own; a kind that is new is still worth its words. */
export function writeNotice(chronicle: Chronicle, { message, metadata }: Json, parent: string | undefined): void {
  const facts = members(metadata);
  const kind = string(facts.kind) ?? 'notice';
  const phase = string(facts.phase);
  const text = string(message);
  if (COMPACTIONS.test(kind) && phase === 'started') chronicle.startCompaction({ trigger: kind }, parent);
  else if (COMPACTIONS.test(kind) && phase === 'completed') {
    const [tokensBefore, tokensAfter] = [number(facts.tokensBefore), number(facts.tokensAfter)];
    chronicle.endCompaction({ trigger: kind, tokensBefore, tokensAfter }, parent);
  } else if (COMPACTIONS.test(kind) && (phase === 'skipped' || phase === 'failed'))
    chronicle.endCompaction({ trigger: kind, error: text }, parent);
  else if (RETRIES.test(kind) && phase === 'started') {
    const { attempt, maxRetries, delayMs, providerError } = facts;
    const why = string(members(providerError).message) ?? string(providerError) ?? text;
    const retry = { attempt: number(attempt), maxAttempts: number(maxRetries), delayMs: number(delayMs), why };
    chronicle.write({ type: 'retry', ...retry }, parent);
  } else chronicle.write({ type: 'status', code: kind, text, level: phase === 'failed' ? 'warning' : 'info' }, parent);
}

/** `max_tokens_compaction` only announces that a call will be tried again; the compaction in it has a kind of its own. */
const COMPACTIONS = /^(?!max_tokens_).*compaction$/;
const RETRIES = /(retry|recovery|^max_tokens_compaction)$/;
