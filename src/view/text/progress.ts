/** One quiet line for each event that is neither talk, tool nor ending. */
import type { AgentEvent } from '../../event/index.js';
import { eventText } from '../../word/index.js';
import { sentence } from './safe.js';

/** `verbose`: also for who asked for details only. */
export interface Progress {
  text: string;
  verbose: boolean;
}

export function progressOf(event: AgentEvent): Progress {
  return { text: eventText(event, sentence), verbose: isDetail(event) };
}

function isDetail(event: AgentEvent): boolean {
  switch (event.type) {
    case 'status':
      return event.level === 'warning';
    case 'rate-limit':
      return event.state !== 'allowed' || event.windows !== undefined;
    case 'hook-end':
      return event.outcome === 'failed';
    default:
      return DETAILS.has(event.type);
  }
}

const DETAILS: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'plan-mode',
  'task-start',
  'task-end',
  'retry',
  'compaction-start',
  'compaction-end',
  'decode-error',
]);
