/** What `data` may hold: metadata about a tool call, or the session's handle. */
import type { AgentEvent } from '../event/index.js';
import { utf8Length } from './bound.js';
import type { SessionFacet, ToolFacet } from './envelope.js';

const MAX_ID_BYTES = 1024;

type Tool = ToolFacet['tool'];

export function toolFacet(
  event: AgentEvent,
  facts: Pick<Tool, 'kind' | 'phase' | 'status'> & Partial<Omit<Tool, 'bytes'>> & { bytes?: Partial<Tool['bytes']> },
): ToolFacet {
  return {
    schema: 'agent_api.tools.structured.v1',
    tool: {
      backend_item_id: null,
      thread_id: isHandle(event.sessionId) ? event.sessionId : null,
      turn_id: event.turn > 0 ? String(event.turn) : null,
      exit_code: null,
      tool_name: null,
      tool_use_id: null,
      ...facts,
      bytes: { stdout: 0, stderr: 0, diff: 0, result: 0, ...facts.bytes },
    },
  };
}

/** None for an id that is no handle: a shortened one could resume nothing. */
export function sessionFacet(id: string | undefined): SessionFacet | undefined {
  return isHandle(id) ? { schema: 'agent_api.session.handle.v1', session: { id } } : undefined;
}

function isHandle(id: string | undefined): id is string {
  return id !== undefined && id.trim() !== '' && utf8Length(id) <= MAX_ID_BYTES;
}
