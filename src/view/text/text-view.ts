/** Events → finished lines, for whoever prints a run. Needs the same memory however long the run is. */
import type { AgentEvent } from '../../event/index.js';
import { createFormatter, type FormatOptions } from './format.js';
import { createProjection } from './project.js';
import { createResultText } from './result-text.js';
import type { StreamEvent } from './stream-event.js';

export interface TextViewOptions extends Omit<FormatOptions, 'agentName'> {
  /** Instead of the agent's own name. */
  agentName?: string;
}

export interface TextView {
  /** Finished lines without their newline. */
  push(event: AgentEvent): string[];
  /** The stream is over: what began and was never told. */
  end(): string[];
}

/** Events in, finished lines out, as `glassbox` prints them. */
export function createTextView(options: TextViewOptions = {}): TextView {
  const projection = createProjection({ sessionId: options.verbose ?? false });
  const resultText = createResultText();
  let agentName = options.agentName ?? '';
  let formatter = createFormatter({ ...options, agentName });
  const linesOf = (event: StreamEvent) => formatter.format(event).split('\n').slice(0, -1);
  /** That a stream ended without a result, which the end of its run may say better. */
  let waiting: string[] = [];
  return {
    push: (event) => {
      if (options.agentName === undefined && event.agent !== agentName) {
        agentName = event.agent;
        formatter = createFormatter({ ...options, agentName });
      }
      const before = event.type === 'run-end' ? [] : waiting;
      const lines = [...resultText(event), ...projection.push(event)].flatMap(linesOf);
      const isCut = event.type === 'turn-end' && event.outcome === 'unknown';
      waiting = isCut ? lines : [];
      return isCut ? before : [...before, ...lines];
    },
    end: () => [...waiting, ...projection.end().flatMap(linesOf)],
  };
}
