/** Tool calls of the Agent Client Protocol: one call, then any number of updates, each with only what changed. */
import type { Payload, ToolKind, ToolStatus } from '../../event/index.js';
import type { Chronicle } from '../chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import { hunkOf } from '../hunk.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';

export interface ToolCalls {
  /** A `tool_call`, a `tool_call_update`, or the call inside a permission request. */
  write(update: Json, parent?: string): void;
  /** Somebody refused this call; it will be reported as failed. */
  deny(id: string): void;
  /** The turn was cancelled: what ends now without a proper result was cut off. */
  cancel(): void;
  kindOf(update: Json): ToolKind;
  nameOf(update: Json): string;
}

/** What the protocol does not tell and an agent's own folder knows. */
export interface ToolKnowledge {
  /** The tool's own name, where the agent puts it in a place of its own. */
  name?(call: Json): string | undefined;
  kind?(name: string): ToolKind | undefined;
  /** File changes and to-do lists that a call left behind; they replace what the protocol tells. */
  effects?(id: string, name: string, input: Json, rawOutput: Json): Payload[];
}

interface Call {
  name: string;
  kind: ToolKind;
  input: unknown;
  /** What the tool has printed so far: updates repeat it as a whole. */
  output: string;
  isDenied: boolean;
  isCancelled: boolean;
}

export function createToolCalls(chronicle: Chronicle, knowledge: ToolKnowledge = {}): ToolCalls {
  const calls = new Map<string, Call>();

  function open(id: string, update: Json, parent: string | undefined): Call {
    const known = calls.get(id);
    if (known) return known;
    const name = nameOf(update);
    const kind = knowledge.kind?.(name) ?? kindOf(update);
    const call: Call = { name, kind, input: undefined, output: '', isDenied: false, isCancelled: false };
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
    chronicle.inputTool(id, call.input, summaryOf(call, update));
    const { output, attachments } = outputOf(update);
    const exitCode = exitCodeOf(update);
    const status = statusOf(update, call, exitCode, output);
    if (status === 'ok') {
      const effects = knowledge.effects?.(id, call.name, members(call.input), members(update.rawOutput)) ?? [];
      for (const effect of effects.length > 0 ? effects : diffsOf(id, update)) chronicle.write(effect, parent);
    }
    chronicle.endTool(id, { status, output: output ?? (call.output || undefined), attachments, exitCode }, parent);
  }

  return {
    write(update, parent) {
      const id = anyString(update.toolCallId) ?? '';
      const call = open(id, update, parent);
      if (update.rawInput !== undefined && update.rawInput !== null) call.input = update.rawInput;
      const status = string(update.status);
      if (status === 'completed' || status === 'failed') return end(id, call, update, parent);
      // While a call is pending its input may still be growing.
      if (status === 'in_progress' && call.input !== undefined)
        chronicle.inputTool(id, call.input, summaryOf(call, update));
      const { output = '' } = outputOf(update);
      if (output.length > call.output.length && output.startsWith(call.output)) {
        chronicle.continueTool({ type: 'tool-output-delta', id, text: output.slice(call.output.length) });
        call.output = output;
      }
    },
    deny(id) {
      const call = calls.get(id);
      if (call) call.isDenied = true;
    },
    cancel() {
      for (const call of calls.values()) call.isCancelled = true;
    },
    kindOf,
    nameOf,
  };
}

/** One line for people: the argument that matters for this kind, else the agent's own title. */
export function summaryOf(call: { kind: ToolKind; name: string; input: unknown }, update: Json): string {
  const { kind, name, input } = call;
  const given = members(input);
  const title = update.title === name ? undefined : update.title;
  const first = (...names: string[]) => names.map((name) => string(given[name])).find((value) => value !== undefined);
  if (kind === 'execute')
    return oneLine(first('command', 'cmd', 'script') ?? string(title) ?? '', SUMMARY_LIMITS.command);
  if (kind === 'search') return oneLine(first('pattern', 'query') ?? string(title) ?? '', SUMMARY_LIMITS.pattern);
  if (kind === 'fetch') return oneLine(first('url', 'query') ?? string(title) ?? '', SUMMARY_LIMITS.address);
  if (kind === 'think') return oneLine(first('description') ?? string(title) ?? '', SUMMARY_LIMITS.task);
  return first('filePath', 'file_path', 'path') ?? oneLine(string(title) ?? '', SUMMARY_LIMITS.command);
}

function outputOf({ content, rawOutput }: Json): {
  output?: string;
  attachments?: ReturnType<typeof readContent>['attachments'];
} {
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

function statusOf({ status }: Json, call: Call, exitCode: number | undefined, output: string | undefined): ToolStatus {
  // A command that was cut off may still be "completed", but without an exit code.
  const isCut = call.isCancelled && exitCode === undefined && (status === 'failed' || call.kind === 'execute');
  if (isCut) return 'cancelled';
  if (status === 'failed') return call.isDenied || REFUSED.test(output ?? '') ? 'denied' : 'failed';

  return exitCode !== undefined && exitCode !== 0 ? 'failed' : 'ok';
}

const REFUSED = /user rejected permission|specified a rule which prevents/;

function diffsOf(toolId: string, { content }: Json): Payload[] {
  return objects(content).flatMap(({ type, path, oldText, newText }): Payload[] => {
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
