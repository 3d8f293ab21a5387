/** What an agent's folder knows about its tools, as data, and the one reader of it. */
import type { Targets, ToolKind } from '../event/index.js';
import { refuseUnknown } from '../event/option.js';
import { oneLine } from '../word/index.js';
import { isObject, type Json, string } from './field.js';
import { type ReadTargets, targetTable } from './target.js';

/** What is known about an agent's tools. */
export interface ToolFacts {
  /** The names of its tools; all others are `other`. */
  kinds?: Partial<Record<ToolKind, readonly string[]>>;
  /** What a call touches, by the name of the tool. */
  targets?: Readonly<Record<string, ReadTargets>>;
  /** The file that its tools open for a path, where that is not the path as it is written. */
  opened?: (path: string) => string;
  /** The argument worth a line. */
  summary?: SummaryFields | Summarize;
  /** How the tools of MCP servers are named: the server, then the tool. */
  mcp?: RegExp;
  /** Tools that are told by events of their own instead of a tool card, with what an ask for one is about. */
  hidden?: Readonly<Record<string, 'tool' | 'plan' | 'question'>>;
}

/** Names of arguments by what they hold, in the order in which they are looked for; each is cut as such things are. */
export type SummaryFields = Partial<Record<'path' | keyof typeof SUMMARY_LIMITS, readonly string[]>>;

export type Summarize = (input: Json, name: string) => string;

export interface ToolTable {
  kind(name: string): ToolKind;
  /** The names of all tools of a kind. */
  names(kind: ToolKind): readonly string[];
  /** Empty where nothing applies. */
  summary(name: string, input: unknown): string;
  targets(name: string, input: unknown): Targets;
  mcp(name: string): McpTool | undefined;
  isHidden(name: string): boolean;
  /** What an ask for this tool is about. */
  asks(name: string): 'tool' | 'plan' | 'question';
}

export interface McpTool {
  server: string;
  tool: string;
}

/** Longest summaries by what is shown, in code points; a path is never cut. */
export const SUMMARY_LIMITS = { command: 60, pattern: 40, task: 40, address: 50 } as const;

/** What an agent's tools are, from the facts about them; every part may be left out. */
export function toolTable(facts: ToolFacts): ToolTable {
  refuseUnknown('toolTable', facts, {
    kinds: true,
    targets: true,
    opened: true,
    summary: true,
    mcp: true,
    hidden: true,
  });
  const { kinds = {}, targets = {}, opened, summary = {}, mcp, hidden = {} } = facts;
  const kindOf = new Map<string, ToolKind>();
  for (const [kind, names] of Object.entries(kinds)) for (const name of names) kindOf.set(name, kind as ToolKind);
  const asked = new Map(Object.entries(hidden));
  const summarize = typeof summary === 'function' ? summary : (input: Json) => summarizeBy(summary, input);
  return {
    kind: (name) => kindOf.get(name) ?? 'other',
    names: (kind) => kinds[kind] ?? [],
    summary: (name, input) => (isObject(input) ? summarize(input, name) : ''),
    targets: targetTable(targets, opened),
    mcp(name) {
      const parts = mcp?.exec(name);
      if (!parts) return undefined;
      const [, server, tool] = parts;
      return server !== undefined && tool !== undefined ? { server, tool } : undefined;
    },
    isHidden: (name) => asked.has(name),
    asks: (name) => asked.get(name) ?? 'tool',
  };
}

/** The first argument that is there. A path is never cut. */
export function summarizeBy(fields: SummaryFields, input: Json): string {
  for (const field in fields) {
    const what = field as keyof SummaryFields;
    for (const name of fields[what] ?? []) {
      const text = string(input[name]);
      if (text !== undefined) return what === 'path' ? text : oneLine(text, SUMMARY_LIMITS[what]);
    }
  }
  return '';
}
