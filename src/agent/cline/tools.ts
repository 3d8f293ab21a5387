/** Cline's tools: what each is, and what its result says; its shape differs from tool to tool, and a failure may stand only inside. */

import { oneLine } from '../../word/index.js';
import type { Note, ToolResult } from '../chronicle/chronicle.js';
import { anyString, isObject, type Json, list, members, number, objects, string, strings } from '../field.js';
import { toUnified } from '../numbered-diff.js';
import { atPaths, fetching, nothing, patching, replacing, running, searching, writing } from '../target.js';
import { SUMMARY_LIMITS, toolTable } from '../tool-table.js';

export const TOOLS = toolTable({
  kinds: {
    read: ['read_files'],
    search: ['search_codebase'],
    execute: ['run_commands'],
    fetch: ['fetch_web_content'],
    edit: ['editor', 'apply_patch'],
    think: ['spawn_agent'],
  },
  summary: summaryOf,
  targets: {
    read_files: ({ files }) =>
      atPaths('files')({ files: list(files).map((file) => string(file) ?? members(file).path) }),
    search_codebase: searching([]),
    run_commands: ({ commands }) =>
      running('commands')({ commands: list(commands).map((each) => string(each) ?? members(each).command) }),
    fetch_web_content: ({ requests }) => fetching('urls')({ urls: objects(requests).map(({ url }) => url) }),
    // Without an old text it writes the whole file, with a line it inserts there.
    editor: (input) =>
      (input.old_text !== undefined
        ? replacing({ path: 'path', before: 'old_text', after: 'new_text' })
        : input.insert_line === undefined
          ? writing('path', 'new_text')
          : atPaths('path'))(input),
    apply_patch: patching('input'),
    spawn_agent: nothing,
  },
});

function summaryOf({ commands, path, files, queries, requests, task, question }: Json): string {
  if (Array.isArray(commands)) return oneLine((strings(commands) ?? []).join('; '), SUMMARY_LIMITS.command);
  if (string(path) !== undefined) return string(path) ?? '';
  if (Array.isArray(files))
    return objects(files)
      .flatMap((file) => string(file.path) ?? [])
      .join(', ');
  if (Array.isArray(queries)) return oneLine((strings(queries) ?? []).join(', '), SUMMARY_LIMITS.pattern);
  if (Array.isArray(requests))
    return oneLine(
      objects(requests)
        .flatMap(({ url }) => string(url) ?? [])
        .join(', '),
      SUMMARY_LIMITS.address,
    );
  return oneLine(string(task) ?? string(question) ?? '', SUMMARY_LIMITS.task);
}

export function resultOf(name: string, { output, error, durationMs }: Json): ToolResult {
  const parts = (Array.isArray(output) ? list(output) : [output]).map(partOf);
  const failure = string(error) ?? parts.find(({ failed }) => failed)?.failed;
  const code = /Command exited with code (\d+)/.exec(failure ?? '')?.[1];
  const isRefused = failure !== undefined && REFUSED.test(failure);
  const known = code === undefined ? undefined : Number(code);
  return {
    status: isRefused ? 'denied' : failure === undefined ? 'ok' : 'failed',
    output: parts.map(({ text }) => text).join('\n') || failure,
    exitCode: name === 'run_commands' && failure === undefined ? 0 : known,
    durationMs: number(durationMs),
  };
}

/** Words of the program (3.0.65), at their beginning: whatever was called may say the like. */
const REFUSED =
  /^(?:Tool (?:"[^"\n]{1,200}" )?(?:was not approved|requires approval|approval |execution denied)|Desktop tool approval |User rejected the tool call|Denied by (?:\w{1,20} ){0,2}user)/;

/** An entry of a list, an object, or plain text. */
function partOf(value: unknown): { text: string; failed: string | undefined } {
  if (!isObject(value)) return { text: anyString(value) ?? '', failed: undefined };
  const { result, text, error, success } = value;
  const words = string(error) ?? (success === false ? 'The tool failed.' : undefined);
  const told = (anyString(result) ?? anyString(text) ?? '').replace(/^\[Command exited with code \d+\]\n/, '');
  return { text: told || (words ?? ''), failed: words };
}

/** What an edit that went well changed. */
export function changeOf(toolId: string, name: string, input: Json, output: unknown): Note | undefined {
  const path = string(input.path);
  if (path === undefined || TOOLS.kind(name) !== 'edit') return undefined;
  const result = anyString(members(output).result) ?? '';
  const numbered = /```diff\n([\s\S]*?)\n?```/.exec(result)?.[1] ?? '';
  const kind = /^File created/.test(result) ? 'create' : 'edit';
  return {
    type: 'file-change',
    toolId,
    path,
    kind,
    diff: toUnified(numbered.replace(/^([ +-][ \t]*\d+): ?/gm, '$1 ')),
  };
}
