/** Cline's tools: what each is, and what its result says; its shape differs from tool to tool, and a failure may stand only inside. */
import type { Payload, ToolKind } from '../../event/index.js';
import type { Body } from '../chronicle.js';
import { anyString, isObject, type Json, list, lookUp, members, number, objects, string, strings } from '../field.js';
import { toUnified } from '../numbered-diff.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';

export function kindOf(name: string): ToolKind {
  return lookUp(KINDS, name) ?? 'other';
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read_files: 'read',
  search_codebase: 'search',
  run_commands: 'execute',
  fetch_web_content: 'fetch',
  editor: 'edit',
  apply_patch: 'edit',
  spawn_agent: 'think',
};

export function summaryOf({ commands, path, files, queries, requests, task, question }: Json): string {
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

export function resultOf(name: string, { output, error, durationMs }: Json): Omit<Body<'tool-end'>, 'id'> {
  const parts = (Array.isArray(output) ? list(output) : [output]).map(partOf);
  const failure = string(error) ?? parts.find(({ failed }) => failed)?.failed;
  const code = /Command exited with code (\d+)/.exec(failure ?? '')?.[1];
  const isRefused = failure !== undefined && /\b(not approved|approval|denied by|declined)\b/i.test(failure);
  const known = code === undefined ? undefined : Number(code);
  return {
    status: isRefused ? 'denied' : failure === undefined ? 'ok' : 'failed',
    output: parts.map(({ text }) => text).join('\n') || failure,
    exitCode: name === 'run_commands' && failure === undefined ? 0 : known,
    durationMs: number(durationMs),
  };
}

/** An entry of a list, an object, or plain text. */
function partOf(value: unknown): { text: string; failed: string | undefined } {
  if (!isObject(value)) return { text: anyString(value) ?? '', failed: undefined };
  const { result, text, error, success } = value;
  const words = string(error) ?? (success === false ? 'The tool failed.' : undefined);
  const told = (anyString(result) ?? anyString(text) ?? '').replace(/^\[Command exited with code \d+\]\n/, '');
  return { text: told || (words ?? ''), failed: words };
}

/** What an edit that went well changed. */
export function changeOf(toolId: string, name: string, input: Json, output: unknown): Payload | undefined {
  const path = string(input.path);
  if (path === undefined || kindOf(name) !== 'edit') return undefined;
  const result = anyString(members(output).result) ?? '';
  const numbered = /```diff\n([\s\S]*?)\n?```/.exec(result)?.[1] ?? '';
  const kind = /^File created/.test(result) ? 'create' : 'edit';
  return { type: 'file-change', toolId, path, kind, diff: toUnified(numbered.replace(/^([ +-]\s*\d+): ?/gm, '$1 ')) };
}
