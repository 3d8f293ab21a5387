/** The calls of a session that changed files or may have, with what they say that they did, from its state. */
import { textOf } from '../consent/index.js';
import { applyChanges, type Permission } from '../event/index.js';
import { rowAt, type SessionState, type Tool, values } from '../session/index.js';
import { literalWrites } from './literal-write.js';
import type { Allowed, Call, KnownEdit } from './maker.js';
import { pathFromTop } from './path-from-top.js';

export interface CallOptions {
  session: string;
  /** The number in the session of a turn of a run. */
  turnOf(runId: string, turn: number): number;
  /** Under which permission a run was started, where that is known. */
  permissionOf(runId: string): Permission | undefined;
  /** The folder, by all names that agents may have for it. */
  tops: readonly string[];
}

/** In the order in which they ended. Paths are from the top of the folder; what is outside of it is left out. */
export function callsOf(state: SessionState, options: CallOptions): Call[] {
  const calls: Call[] = [];
  for (const tool of values(state.tools.rows)) {
    if (ONLY_LOOKS.has(tool.kind) && tool.edits === undefined) continue;
    const run = rowAt(state.runs, tool.run);
    if (!run) continue;
    const cwd = run.facts.cwd;
    const edits = editsOf(tool, state).flatMap((edit): KnownEdit[] => {
      const path = pathFromTop(edit.path, cwd, options.tops);
      const to = edit.to === undefined ? undefined : pathFromTop(edit.to, cwd, options.tops);
      return path === undefined ? [] : [{ ...edit, path, ...(to !== undefined && { to }) }];
    });
    const { id, name, kind, thread, command, status, exitCode, endedAt, startedAt = 0 } = tool;
    calls.push({
      session: options.session,
      runId: run.runId,
      turn: options.turnOf(run.runId, Math.max(1, tool.turn)),
      toolId: id,
      tool: name,
      kind,
      ...(thread !== 0 && { isSubAgent: true }),
      ...(command !== undefined && { command }),
      at: endedAt ?? startedAt,
      allowed: allowedOf(tool, state, options.permissionOf(run.runId)),
      isDone: status === 'ok' && (exitCode ?? 0) === 0,
      ...((endedAt === undefined || tool.task !== undefined || leavesSomething(command)) && { goesOn: true }),
      edits,
    });
  }
  return calls.sort((one, other) => one.at - other.at);
}

const ONLY_LOOKS: ReadonlySet<string> = new Set(['read', 'search', 'think', 'fetch']);

/** `&` at the end of a part of a command lets it go on by itself. */
const leavesSomething = (command = ''): boolean => /[^&>]&(?![&>\d])/.test(command) || command.includes('nohup');

function editsOf(tool: Tool, state: SessionState): KnownEdit[] {
  const changes = rowAt(state.approvals, tool.approval)?.resolution?.changes;
  const input = changes === undefined ? tool.input : applyChanges(tool.input, changes)?.value;
  // What a person changed before allowing it is known only where the edit points into the input.
  if (
    changes !== undefined &&
    tool.edits?.some((edit) => [edit.before, edit.after, edit.diff].some((part) => part && 'text' in part))
  )
    return [];
  if (tool.edits !== undefined)
    return tool.edits.map(({ before, after, diff, ...edit }) => ({
      ...edit,
      before: textOf(before, input),
      after: textOf(after, input),
      diff: textOf(diff, input),
    }));
  return tool.command === undefined || changes !== undefined ? [] : literalWrites(tool.command);
}

function allowedOf(tool: Tool, state: SessionState, permission: Permission | undefined): Allowed {
  const approval = rowAt(state.approvals, tool.approval);
  if (approval?.resolution) {
    const { decision, by, who, via, rule, changes } = approval.resolution;
    return {
      how: 'decided',
      decision,
      by,
      ...(who !== undefined && { who }),
      ...(via !== undefined && { via }),
      ...(rule !== undefined && { rule }),
      ...(changes !== undefined && { changes }),
    };
  }
  if (approval) return { how: 'unknown' };
  return permission === undefined ? { how: 'unknown' } : { how: 'unasked', permission };
}
