/** What a view prints of some events. */
import type { AgentEvent } from '../../src/event/index.js';
import { createTextView, type TextViewOptions } from '../../src/view/text/text-view.js';

export const everything: TextViewOptions = { verbose: true, thinking: true, progress: true };

export function print(events: AgentEvent[], options: TextViewOptions = {}): string[] {
  const view = createTextView(options);
  return [...events.flatMap((event) => view.push(event)), ...view.end()];
}
