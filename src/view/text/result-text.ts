/** An answer that stands only in the result, as where an agent prints nothing else, is told once like any other text. */
import type { AgentEvent } from '../../event/index.js';
import type { StreamEvent } from './stream-event.js';

/** Before each event: the text that its turn comes to and that nobody has said. */
export function createResultText(): (event: AgentEvent) => StreamEvent[] {
  const spoken = new Set<number>();

  return (event) => {
    if (event.type === 'text-end' && event.parent === undefined && event.text) spoken.add(event.turn);
    if (event.type !== 'turn-end') return [];
    const isSpoken = spoken.delete(event.turn);
    if (isSpoken || event.outcome !== 'success' || !event.text) return [];
    return [{ kind: 'Text', text: event.text, at: event.at, depth: 0 }];
  };
}
