/** `system` lines other than `init`: tasks, hooks, compaction, denials, and the quiet ones of the table. */
import type { SessionFacts } from '../../event/index.js';
import type { OpenTools } from '../claude-lines/open-tools.js';
import type { Tasks } from '../claude-lines/tasks.js';
import { type Json, lookUp, number, object, string } from '../field.js';
import { createRecent } from '../recent.js';
import type { Scribe } from '../scribe.js';
import { changedFacts, STATUS_LINES } from './system.js';

export interface Status {
  read(line: Json, bytes: number, facts: SessionFacts | undefined): void;
  /** Writes the facts that changed, if any. */
  update(before: SessionFacts, after: SessionFacts): void;
  /** A compaction does not outlive its turn. */
  endTurn(): void;
  /** The stream is over. */
  close(): void;
}

export interface StatusNeeds {
  tools: OpenTools;
  tasks: Tasks;
  retract(uuids: unknown, why: 'refused'): void;
}

export function createStatus(scribe: Scribe, { tools, tasks, retract }: StatusNeeds): Status {
  let compacting = false;
  const hooks = new Map<string, Hook>();
  const endedHooks = createRecent(256);

  /** Up to 2.0.77 only the end of a hook is told, so the end may have to say that it started. False when it has ended. */
  const startHook = (hook: Hook): boolean => {
    if (endedHooks.has(hook.id)) return false;
    if (!hooks.has(hook.id)) {
      hooks.set(hook.id, hook);
      scribe.write({ type: 'hook-start', ...hook });
    }
    return true;
  };

  const startCompaction = (trigger?: string): void => {
    if (compacting) return;
    compacting = true;
    scribe.write({ type: 'compaction-start', trigger });
  };

  const endCompaction = (facts: { error?: string } = {}): void => {
    if (!compacting) return;
    compacting = false;
    scribe.write({ type: 'compaction-end', ...facts });
  };

  const update = (before: SessionFacts, after: SessionFacts): void => {
    const changed = changedFacts(before, after);
    if (changed) scribe.write({ type: 'session-update', ...changed });
  };

  const readers: Record<string, (line: Json, facts: SessionFacts | undefined) => void> = {
    status(line, facts) {
      const permissionMode = string(line.permissionMode);
      if (permissionMode !== undefined) update(facts ?? {}, { permissionMode });
      if (line.status === 'compacting') startCompaction();
      else if (line.compact_result === 'failed') endCompaction({ error: string(line.compact_error) ?? 'failed' });
      else if (line.status === 'requesting') scribe.write({ type: 'status', code: 'requesting' });
    },

    compact_boundary(line) {
      const facts = object(line.compact_metadata) ?? {};
      const trigger = string(facts.trigger);
      startCompaction(trigger);
      compacting = false;
      scribe.write({
        type: 'compaction-end',
        trigger,
        tokensBefore: number(facts.pre_tokens),
        tokensAfter: number(facts.post_tokens),
        durationMs: number(facts.duration_ms),
      });
    },

    permission_denied(line) {
      const toolId = string(line.tool_use_id);
      const tool = tools.get(toolId ?? '');
      if (tool) tool.denied = true;
      const toolName = string(line.tool_name) ?? 'unknown';
      const message = string(line.message) ?? string(line.decision_reason);
      scribe.write({ type: 'permission-deny', toolName, toolId, message }, { parent: tool?.parent });
    },

    model_refusal_fallback(line) {
      retract(line.retracted_message_uuids, 'refused');
      const status = STATUS_LINES.model_refusal_fallback?.(line);
      if (status) scribe.write(status);
    },

    hook_started: (line) => startHook(hookOf(line)),

    hook_response(line) {
      const hook = hookOf(line);
      const { id, name, event } = hook;
      if (!startHook(hook)) return;
      hooks.delete(id);
      endedHooks.add(id);
      const outcome = line.outcome === 'error' ? 'failed' : line.outcome === 'cancelled' ? 'cancelled' : 'ok';
      const exitCode = number(line.exit_code);
      const output = string(line.output) ?? string(line.stdout) ?? string(line.stderr);
      const failed = outcome === 'ok' && exitCode !== undefined && exitCode !== 0 ? 'failed' : outcome;
      scribe.write({ type: 'hook-end', id, name, event, outcome: failed, exitCode, output });
    },

    task_started: (line) => tasks.started(line),
    task_progress: (line) => tasks.progress(line),
    task_updated: (line) => tasks.updated(line),
    task_notification: (line) => tasks.notified(line),
    background_tasks_changed: (line) => tasks.listed(line),
  };

  return {
    read(line, bytes, facts) {
      const subtype = string(line.subtype) ?? '';
      const reader = Object.hasOwn(readers, subtype) ? readers[subtype] : undefined;
      if (reader) {
        reader(line, facts);
        return;
      }
      const describe = lookUp(STATUS_LINES, subtype);
      const status = describe?.(line);
      if (status) scribe.write(status);
      else if (status === undefined) {
        scribe.write({ type: 'unknown', wireType: 'system', wireSubtype: subtype || undefined, bytes });
      }
    },
    update,
    endTurn: () => endCompaction(),
    close() {
      endCompaction();
      for (const hook of hooks.values()) {
        scribe.write({ type: 'hook-end', ...hook, outcome: 'cancelled' }, { source: 'synthetic' });
      }
      hooks.clear();
    },
  };
}

interface Hook {
  id: string;
  name: string;
  event: string | undefined;
}

function hookOf(line: Json): Hook {
  const name = string(line.hook_name) ?? 'hook';
  return { id: string(line.hook_id) ?? name, name, event: string(line.hook_event) };
}
