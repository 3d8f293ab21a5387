/** Tool calls: each starts once and ends once, and is known by what its agent's table says while it is open. */
import type { Loose, Targets, ToolKind, ToolStatus } from '../../event/index.js';
import { createRecentMap } from '../recent.js';
import type { McpTool, ToolTable } from '../tool-table.js';
import type { Body } from './body.js';
import type { DraftWriter } from './draft-writer.js';

/** What the agent's table does not tell. */
export type StartedTool = Omit<Body<'tool-start'>, 'id' | 'kind'> & { kind?: ToolKind };

export type ToolResult = Omit<Body<'tool-end'>, 'id'>;

export interface OpenTool {
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly mcp: McpTool | undefined;
  readonly messageId: string | undefined;
  readonly parent: string | undefined;
  readonly turn: number;
  /** Told by events of its own instead of a tool card. */
  readonly isHidden: boolean;
  input: unknown;
  /** What somebody was asked about it, and said. */
  decision: 'asked' | 'allow' | 'deny' | undefined;
}

export interface Calls {
  readonly open: ReadonlyMap<string, OpenTool>;
  /** Nothing happens when the call runs or has ended; with another message the id was given to another call. */
  start(id: string, tool: StartedTool, parent?: string): void;
  /** The first input counts. */
  input(id: string, input: unknown, told?: Loose<{ summary?: string; targets?: Targets }>): void;
  /** False when this tool ended before: the line repeats, or comes too late. */
  end(id: string, result: ToolResult, parent?: string): boolean;
  hasEnded(id: string): boolean;
  /** How the call was told to have ended. */
  endOf(id: string): ToolStatus | undefined;
  correct(id: string, status: ToolStatus): void;
}

export function createCalls(writer: DraftWriter, table: ToolTable): Calls {
  const open = new Map<string, OpenTool>();
  const ended = createRecentMap<{ messageId: string | undefined; status: ToolStatus }>(1024);

  return {
    open,
    start(id, tool, parent) {
      const { name, messageId } = tool;
      if (open.has(id) || (ended.has(id) && !isOther(messageId, ended.get(id)?.messageId))) return;
      const kind = tool.kind ?? table.kind(name);
      const mcp = tool.mcp ?? table.mcp(name);
      const isHidden = table.isHidden(name);
      const { turn } = writer;
      open.set(id, { id, name, kind, mcp, messageId, parent, turn, isHidden, input: undefined, decision: undefined });
      if (!isHidden) writer.writeWith({ type: 'tool-start', id, name, kind, mcp }, tool, { parent });
    },
    input(id, input, told) {
      const tool = open.get(id);
      if (!tool || tool.input !== undefined) return;
      tool.input = input ?? {};
      if (tool.isHidden) return;
      const summary = told?.summary ?? table.summary(tool.name, input);
      const targets = told?.targets ?? table.targets(tool.name, input);
      writer.writeWith({ type: 'tool-input-end', id, input, summary }, targets, { parent: tool.parent });
    },
    end(id, result, parent) {
      const tool = open.get(id);
      if (!tool && ended.has(id)) return false;
      open.delete(id);
      ended.set(id, { messageId: tool?.messageId, status: result.status });
      if (!tool?.isHidden)
        writer.writeWith({ type: 'tool-end', id, name: tool?.name }, result, { parent: tool ? tool.parent : parent });
      return true;
    },
    hasEnded: ended.has,
    endOf: (id) => ended.get(id)?.status,
    correct(id, status) {
      const end = ended.get(id);
      if (end) ended.set(id, { ...end, status });
    },
  };
}

/** Two messages that are known and are not the same. */
const isOther = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;
