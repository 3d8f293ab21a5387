/** A kept session as a file that somebody else can read, with all its runs. */
import type { AgentEvent } from '../event/index.js';
import { type ExportOptions, exportSession } from '../export/index.js';
import { readListed, type SessionRecord, type Store } from '../store/index.js';

export interface ExportedFile {
  /** What to call it where nobody says. */
  name: string;
  text: string;
}

export async function exportKept(
  store: Store,
  { id, title, agent, runs }: SessionRecord,
  format: ExportOptions['format'],
): Promise<ExportedFile> {
  const events: AgentEvent[] = [];
  for (const { runId } of runs) for await (const event of readListed(store, runId)) events.push(event);
  return {
    name: `glassbox-${id}.${format === 'html' ? 'html' : 'md'}`,
    text: exportSession(events, { format, title: title || `${agent} ${id}` }),
  };
}
