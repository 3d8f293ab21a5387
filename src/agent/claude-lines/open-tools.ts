/** Follows tool calls from their first mention to their result: one start and one end each, whatever the wire repeats. */
import type { Attachment, ToolKind, ToolStatus } from '../../event/index.js';
import type { Json } from '../field.js';
import { createRecent } from '../recent.js';
import type { Scribe } from '../scribe.js';

/** What an agent's folder knows about its tools. */
export interface ToolTable {
  kind(name: string): ToolKind;
  mcp(name: string): { server: string; tool: string } | undefined;
  /** One line for people about the arguments, empty when nothing applies. */
  summary(name: string, input: Json): string;
  /** Tools that are told by events of their own instead of a tool card. */
  isCard(name: string): boolean;
  /** What an ask for this tool is about. */
  asks(name: string): 'tool' | 'plan' | 'question';
}

export interface OpenTool {
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly card: boolean;
  readonly parent: string | undefined;
  readonly turn: number;
  input: Json | undefined;
  /** Refused before its result came. */
  denied: boolean;
}

export interface ToolOrigin {
  parent: string | undefined;
  messageId?: string;
  remote?: boolean;
}

export interface ToolEnding {
  status: ToolStatus;
  output?: string;
  attachments?: Attachment[] | undefined;
  exitCode?: number | undefined;
  taskId?: string | undefined;
}

export interface OpenTools {
  get(id: string): OpenTool | undefined;
  values(): Iterable<OpenTool>;
  start(id: string, name: string, origin: ToolOrigin): OpenTool;
  /** The arguments are complete; starts the tool if its start was not seen. */
  input(id: string, name: string, input: Json, origin: ToolOrigin): OpenTool;
  /** Writes the end of a card. False when this id has ended before: repeated results are dropped. */
  end(id: string, ending: ToolEnding, parent: string | undefined): boolean;
  /** Ends what is still open and matches. */
  close(status: ToolStatus, matches: (tool: OpenTool) => boolean): void;
}

export function createOpenTools(scribe: Scribe, table: ToolTable): OpenTools {
  const open = new Map<string, OpenTool>();
  const ended = createRecent(512);

  const tools: OpenTools = {
    get: (id) => open.get(id),
    values: () => open.values(),

    start(id, name, { parent, messageId, remote }) {
      const known = open.get(id);
      if (known) return known;
      const kind = table.kind(name);
      const tool: OpenTool = {
        id,
        name,
        kind,
        // A call that comes again after its end is not told again.
        card: !ended.has(id) && table.isCard(name),
        parent,
        turn: scribe.turn,
        input: undefined,
        denied: false,
      };
      if (ended.has(id)) return tool;
      open.set(id, tool);
      if (tool.card) {
        const mcp = table.mcp(name);
        scribe.write({ type: 'tool-start', id, name, kind, mcp, messageId, remote }, { parent });
      }
      return tool;
    },

    input(id, name, input, origin) {
      const tool = tools.start(id, name, origin);
      if (tool.input) return tool;
      tool.input = input;
      if (tool.card) {
        const summary = table.summary(name, input);
        scribe.write({ type: 'tool-input-end', id, input, summary }, { parent: tool.parent });
      }
      return tool;
    },

    end(id, ending, parent) {
      const tool = open.get(id);
      if (!tool && ended.has(id)) return false;
      open.delete(id);
      ended.add(id);
      if (tool && !tool.card) return true;
      scribe.write({ type: 'tool-end', id, name: tool?.name, ...ending }, { parent: tool ? tool.parent : parent });
      return true;
    },

    close(status, matches) {
      for (const tool of open.values()) {
        if (matches(tool)) tools.end(tool.id, { status }, tool.parent);
      }
    },
  };
  return tools;
}
