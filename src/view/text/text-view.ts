/** Events → finished lines, for whoever prints a run. Needs the same memory however long the run is. */
import type { AgentEvent } from '../../event/index.js';
import { createFormatter, type FormatOptions } from './format.js';
import { createProjection } from './project.js';
import type { StreamEvent } from './stream-event.js';
import { createUnsaid } from './unsaid.js';

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

export function createTextView(options: TextViewOptions = {}): TextView {
  const projection = createProjection({ sessionId: options.verbose ?? false });
  const unsaid = createUnsaid();
  let agentName = options.agentName ?? '';
  let formatter = createFormatter({ ...options, agentName });
  const linesOf = (event: StreamEvent) => formatter.format(event).split('\n').slice(0, -1);
  return {
    push: (event) => {
      if (options.agentName === undefined && event.agent !== agentName) {
        agentName = event.agent;
        formatter = createFormatter({ ...options, agentName });
      }
      return [...unsaid(event), ...projection.push(event)].flatMap(linesOf);
    },
    end: () => projection.end().flatMap(linesOf),
  };
}
