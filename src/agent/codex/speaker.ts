/** Follows the threads of one app-server: the main one is the conversation, every other belongs to the call that spawned it. */
import { type Json, list, string, strings } from '../field.js';
import type { Known } from './ask.js';
import { member, snakeCase } from './wire.js';

export interface Threads extends Known {
  /** Notes a thread; true when it is the main one. */
  open(id: string | undefined, parentThread: string | undefined, model: string | undefined): boolean;
  /** The tool call that speaks through this thread; absent for the main one. */
  parentOf(id: string | undefined): string | undefined;
  modelOf(id: string): string | undefined;
  setModel(id: string | undefined, model: string | undefined): void;
  /** Every item passes here: calls that spawn threads, and what approvals refer to later. */
  noteItem(item: Json, phase: 'started' | 'completed'): void;
}

export function createThreads(): Threads {
  let main: string | undefined;
  const parents = new Map<string, string>();
  const models = new Map<string, string>();
  const changes = new Map<string, readonly unknown[]>();
  const calls = new Map<string, { id: string; tool: string }>();
  /** A child may speak before the call that spawned it has named it. */
  let spawning: string | undefined;

  const threads: Threads = {
    open(id, parentThread, model) {
      if (id === undefined) return false;
      threads.setModel(id, model);
      if (parentThread !== undefined || (main !== undefined && id !== main && parents.has(id))) return false;
      main = id;
      return true;
    },
    parentOf(id) {
      // A stream that is read from its middle names no main thread: it is the first that speaks.
      main ??= id;
      if (id === undefined || id === main) return undefined;
      return parents.get(id) ?? spawning ?? id;
    },
    modelOf: (id) => models.get(id) ?? models.get(main ?? ''),
    setModel(id, model) {
      if (id !== undefined && model !== undefined) models.set(id, model);
    },
    noteItem(item, phase) {
      const id = string(item.id);
      const type = snakeCase(string(item.type) ?? '');
      if (id === undefined) return;
      if (type === 'collab_agent_tool_call' && item.tool === 'spawnAgent') {
        spawning = id;
        for (const child of strings(member(item, 'receiver_thread_ids')) ?? []) {
          parents.set(child, id);
          threads.setModel(child, string(item.model));
        }
      }
      if (type === 'file_change') {
        if (phase === 'started') changes.set(id, list(item.changes));
        else changes.delete(id);
      }
      const server = string(item.server);
      if (type === 'mcp_tool_call' && server !== undefined) {
        if (phase === 'started') calls.set(server, { id, tool: string(item.tool) ?? '' });
        else if (calls.get(server)?.id === id) calls.delete(server);
      }
    },
    changesOf: (itemId) => changes.get(itemId) ?? [],
    callOf: (server) => calls.get(server),
  };
  return threads;
}
