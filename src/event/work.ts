export type FileChangeKind = 'create' | 'edit' | 'delete' | 'move';

export interface Todo {
  id?: string;
  text: string;
  status: 'pending' | 'active' | 'done';
}

export type WorkDraft =
  /** A file was changed by a tool call that succeeded. */
  | {
      type: 'file-change';
      /** The tool call that did it. */
      toolId?: string;
      path: string;
      kind: FileChangeKind;
      /** Target of a move. */
      to?: string;
      /** Unified diff hunks, where they can be had. */
      diff?: string;
    }
  /** The whole list, which replaces the one before. */
  | { type: 'todo-update'; todos: Todo[] }
  /** The agent plans (`enter`), shows its plan (`propose`), goes back to work (`exit`). */
  | { type: 'plan-mode'; state: 'enter' | 'propose' | 'exit'; plan?: string; toolId?: string }
  /** Background work or a sub-agent began. */
  | {
      type: 'task-start';
      id: string;
      kind: 'shell' | 'agent' | 'workflow' | 'monitor' | 'other';
      toolId?: string;
      description?: string;
      background?: boolean;
      agentType?: string;
    }
  /** What a running task has done so far; every figure is a total. */
  | {
      type: 'task-progress';
      id: string;
      toolId?: string;
      description?: string;
      summary?: string;
      lastTool?: string;
      tokens?: number;
      toolUses?: number;
      durationMs?: number;
      background?: boolean;
    }
  /** Once per task, whichever of the agent's several notices came first. */
  | {
      type: 'task-end';
      id: string;
      toolId?: string;
      status: 'ok' | 'failed' | 'stopped' | 'unknown';
      summary?: string;
      error?: string;
      tokens?: number;
      toolUses?: number;
      durationMs?: number;
    };
