import { type AgentEvent, defined } from '../../event/index.js';
import { documentOf } from '../document.js';
import type { SearchHit } from '../query.js';
import { makeSnippet } from '../snippet.js';
import type { Term } from '../words.js';

/** An event that a search found, as people see it. */
export function hitIn(event: AgentEvent, tool: string | undefined, terms: readonly Term[]): SearchHit | undefined {
  const document = documentOf(event);
  if (!document) return undefined;
  return defined({
    runId: event.runId,
    seq: event.seq,
    at: event.at,
    type: event.type,
    field: document.field,
    tool,
    snippet: makeSnippet(document.text, terms),
  });
}
