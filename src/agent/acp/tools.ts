/** Tool calls of the Agent Client Protocol: one call, then any number of updates, each with only what changed. */

import {
  type Edit,
  pointerTo,
  type Targets,
  type TextPart,
  type ToolKind,
  type ToolStatus,
} from '../../event/index.js';
import { oneLine } from '../../word/index.js';
import type { Body, Chronicle, Note } from '../chronicle/chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, number, object, objects, parsed, string } from '../field.js';
import { hunkOf } from '../hunk.js';
import { atPaths, joinTargets, ofEdits } from '../target.js';
import { SUMMARY_LIMITS, type SummaryFields, summarizeBy, type ToolTable, toolTable } from '../tool-table.js';

export interface ToolCalls {
  /** A `tool_call`, a `tool_call_update`, or the call inside a permission request. */
  write(update: Json, parent?: string): void;
  /** The turn was cancelled: what ends now without a proper result was cut off. */
  cancel(): void;
  kindOf(update: Json): ToolKind;
  nameOf(update: Json): string;
  /** The arguments of a call and what it touches, by all that was told about it. */
  factsOf(update: Json): { input: unknown; targets: Targets };
}

/** What the protocol does not tell and an agent's own folder knows. */
export interface ToolKnowledge {
  /** The tool's own name, where the agent puts it in a place of its own. */
  name?(call: Json): string | undefined;
  readonly table?: ToolTable;
  /** Until a call ends, its text is that of its arguments and not what it printed. */
  readonly tellsArguments?: boolean;
  /** How a call ended, where only the words of its result tell it. */
  result?(name: string, output: string): { status: ToolStatus; exitCode?: number };
  /** File changes and to-do lists that a call left behind; they replace what the protocol tells. */
  effects?(id: string, name: string, input: Json, rawOutput: Json): Note[];
}

interface Call {
  name: string;
  kind: ToolKind;
  input: unknown;
  /** The latest that was told about where it works, and what it would make of files. */
  locations: unknown;
  content: unknown;
  /** What the tool has printed so far: updates repeat it as a whole. */
  output: string;
  isCancelled: boolean;
}

export function createToolCalls(chronicle: Chronicle, knowledge: ToolKnowledge = {}): ToolCalls {
  const { table = USUAL } = knowledge;
  const calls = new Map<string, Call>();

  function open(id: string, update: Json, parent: string | undefined): Call {
    const opened = calls.get(id);
    if (opened) return opened;
    const name = nameOf(update);
    const known = table.kind(name);
    const call = emptyCall(name, known === 'other' ? kindOf(update) : known);
    calls.set(id, call);
    chronicle.startTool(id, { name: call.name, kind: call.kind, title: string(update.title) }, parent);
    return call;
  }

  function nameOf(update: Json): string {
    const known = calls.get(anyString(update.toolCallId) ?? '');
    return known?.name ?? string(update.name) ?? knowledge.name?.(update) ?? NAMES[kindOf(update)];
  }

  function kindOf({ toolCallId, kind }: Json): ToolKind {
    return calls.get(anyString(toolCallId) ?? '')?.kind ?? lookUp(KINDS, string(kind)) ?? 'other';
  }

  function end(id: string, call: Call, update: Json, parent: string | undefined): void {
    calls.delete(id);
    chronicle.inputTool(id, call.input, factsFor(call, update));
    const { output, attachments } = outputOf(update);
    const inWords = knowledge.result?.(call.name, output ?? '');
    const exitCode = exitCodeOf(update) ?? inWords?.exitCode;
    const isDenied = chronicle.tool(id)?.decision === 'deny';
    const status = statusOf(update, { ...call, isDenied }, exitCode, output, inWords?.status);
    if (status === 'ok') {
      const effects = knowledge.effects?.(id, call.name, members(call.input), members(update.rawOutput)) ?? [];
      const diffs = [update, { content: call.content }].map((told) => diffsOf(id, told));
      for (const effect of [effects, ...diffs].find(({ length }) => length > 0) ?? []) chronicle.write(effect, parent);
    }
    chronicle.endTool(id, { status, output: output ?? (call.output || undefined), attachments, exitCode }, parent);
  }

  function learn(call: Call, update: Json): void {
    const { rawInput, locations, content } = update;
    if (rawInput !== undefined && rawInput !== null) call.input = rawInput;
    else if (knowledge.tellsArguments && !isOver(update)) call.input = argumentsIn(update) ?? call.input;
    if (Array.isArray(locations)) call.locations = locations;
    if (objects(content).some(({ type }) => type === 'diff')) call.content = content;
  }

  /** The protocol tells files beside the arguments; what these say on top is the agent's own. */
  function targetsOf({ name, input, locations, content }: Call): Targets {
    const places = atPaths('paths')({ paths: objects(locations).map(({ path }) => path) });
    const edits = objects(content).flatMap((entry) => editOf(entry, members(input)));
    const { edits: own = [], ...named } = table.targets(name, input);
    // The same edits a second time would be made twice.
    return joinTargets([ofEdits(edits.length > 0 ? edits : own), places, named]);
  }

  const factsFor = (call: Call, update: Json) => ({ summary: summaryOf(call, update), targets: targetsOf(call) });

  return {
    write(update, parent) {
      const id = anyString(update.toolCallId) ?? '';
      const call = open(id, update, parent);
      learn(call, update);
      if (isOver(update)) return end(id, call, update, parent);
      // While a call is pending its input may still be growing.
      if (update.status === 'in_progress' && call.input !== undefined)
        chronicle.inputTool(id, call.input, factsFor(call, update));
      if (knowledge.tellsArguments) return;
      const { output = '' } = outputOf(update);
      if (output.length > call.output.length && output.startsWith(call.output)) {
        chronicle.continueTool({ type: 'tool-output-delta', id, text: output.slice(call.output.length) });
        call.output = output;
      }
    },
    cancel() {
      for (const call of calls.values()) call.isCancelled = true;
    },
    kindOf,
    nameOf,
    factsOf(update) {
      const known = calls.get(anyString(update.toolCallId) ?? '');
      const call = known ?? emptyCall(nameOf(update), kindOf(update));
      if (!known) learn(call, update);
      return { input: call.input, targets: targetsOf(call) };
    },
  };
}

const isOver = ({ status }: Json): boolean => status === 'completed' || status === 'failed';

/** Absent while they are not whole. */
function argumentsIn(update: Json): Json | undefined {
  return object(parsed(outputOf(update).output ?? ''));
}

function emptyCall(name: string, kind: ToolKind): Call {
  return {
    name,
    kind,
    input: undefined,
    locations: [],
    content: [],
    output: '',
    isCancelled: false,
  };
}

const USUAL = toolTable({});

function editOf({ type, path, oldText, newText }: Json, input: Json): Edit[] {
  const file = string(path);
  if (type !== 'diff' || file === undefined) return [];
  const before = string(oldText);
  const after = partIn(input, anyString(newText) ?? '');
  return before === undefined
    ? [{ path: file, kind: 'write', after }]
    : [{ path: file, kind: 'replace', before: partIn(input, before), after }];
}

/** A text that is an argument too is pointed to; any other is carried along. */
function partIn(input: Json, text: string): TextPart {
  const [name] = Object.keys(input).filter((key) => input[key] === text);
  return name === undefined ? { text } : { at: pointerTo(name) };
}

/** One line for people: the argument that matters for this kind, else the agent's own title. */
export function summaryOf(call: { kind: ToolKind; name: string; input: unknown }, update: Json): string {
  const { kind, name, input } = call;
  const title = update.title === name ? undefined : string(update.title);
  const fields = SUMMARIES[kind] ?? PATHS;
  const [limit] = Object.keys(fields) as (keyof SummaryFields)[];
  return (
    summarizeBy(fields, members(input)) ||
    oneLine(title ?? '', limit === undefined ? 0 : limit === 'path' ? SUMMARY_LIMITS.command : SUMMARY_LIMITS[limit])
  );
}

const PATHS: SummaryFields = { path: ['filePath', 'file_path', 'path'] };

const SUMMARIES: Partial<Record<ToolKind, SummaryFields>> = {
  execute: { command: ['command', 'cmd', 'script'] },
  search: { pattern: ['pattern', 'query'] },
  fetch: { address: ['url', 'query'] },
  think: { task: ['description'] },
};

function outputOf({ content, rawOutput }: Json): Pick<Body<'tool-end'>, 'output' | 'attachments'> {
  const blocks = objects(content).flatMap((entry) => (entry.type === 'content' ? [entry.content] : []));
  const raw = members(rawOutput);
  if (blocks.length === 0) return { output: string(raw.output) ?? string(raw.error) ?? string(rawOutput) };
  const { text, attachments } = readContent(blocks);
  return { output: text, attachments };
}

/** Hidden by `completed`, and in a different place with every agent. */
function exitCodeOf({ rawOutput }: Json): number | undefined {
  const raw = members(rawOutput);
  return number(raw.exitCode) ?? number(raw.exit_code) ?? number(members(raw.metadata).exit);
}

function statusOf(
  { status }: Json,
  call: Call & { isDenied: boolean },
  exitCode: number | undefined,
  output: string | undefined,
  inWords: ToolStatus | undefined,
): ToolStatus {
  // A command that was cut off may still be "completed", but without an exit code.
  const isCut = call.isCancelled && exitCode === undefined && (status === 'failed' || call.kind === 'execute');
  if (isCut) return 'cancelled';
  if (status === 'failed') {
    if (call.isDenied || REFUSED.test(output ?? '')) return 'denied';
    return inWords === 'denied' || inWords === 'cancelled' ? inWords : 'failed';
  }

  return exitCode !== undefined && exitCode !== 0 ? 'failed' : 'ok';
}

const REFUSED = /^(?:\w{1,40}Error: )?The user (?:rejected permission|has specified a rule which prevents)/;

function diffsOf(toolId: string, { content }: Json): Note[] {
  return objects(content).flatMap(({ type, path, oldText, newText }): Note[] => {
    const file = string(path);
    if (type !== 'diff' || file === undefined) return [];
    const before = anyString(oldText);
    const diff = hunkOf(before ?? '', anyString(newText) ?? '') || undefined;
    return [{ type: 'file-change', toolId, path: file, kind: before === undefined ? 'create' : 'edit', diff }];
  });
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'execute',
  think: 'think',
  fetch: 'fetch',
  switch_mode: 'other',
};

/** The protocol names kinds and titles; these are the words for people when it names no tool. */
const NAMES: Readonly<Record<ToolKind, string>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Bash',
  think: 'Think',
  fetch: 'Fetch',
  other: 'Tool',
};
