/** What pi's tools are, what they were asked and what they left behind. */
import type { Payload, ToolKind } from '../../event/index.js';
import type { Chronicle } from '../chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, string } from '../field.js';
import { toUnified } from '../numbered-diff.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';

export interface Tools {
  /** The model begins to write a call. */
  announce(id: string, name: string, messageId: string, index: number): void;
  start(id: string, name: string, args: unknown, messageId?: string): void;
  /** The whole output so far, every time. */
  update(id: string, partialResult: Json): void;
  end(line: Json): void;
  /** What ends now without a result was cut off, not failed. */
  isAborting: boolean;
  /** Somebody is asked about a call; when the answer is not in the stream, the words of its end tell. */
  ask(id: string): void;
  /** The call was allowed or refused. */
  decide(id: string, decision: 'allow' | 'deny'): void;
}

export function createTools(chronicle: Chronicle): Tools {
  const outputs = new Map<string, string>();
  const inputs = new Map<string, Json>();
  const decisions = new Map<string, 'asked' | 'allow' | 'deny'>();

  const tools: Tools = {
    isAborting: false,
    announce(id, name, messageId, index) {
      chronicle.startTool(id, { name, kind: kindOf(name), messageId, index });
    },
    start(id, name, args, messageId) {
      chronicle.startTool(id, { name, kind: kindOf(name), messageId });
      chronicle.inputTool(id, args, summaryOf(name, members(args)));
      if (chronicle.isToolOpen(id)) inputs.set(id, members(args));
    },
    update(id, partialResult) {
      const { text } = readContent(partialResult.content);
      const before = outputs.get(id) ?? '';
      if (text.length <= before.length || !text.startsWith(before)) return;
      outputs.set(id, text);
      chronicle.continueTool({ type: 'tool-output-delta', id, text: text.slice(before.length) });
    },
    end({ toolCallId, toolName, result, isError }) {
      const id = anyString(toolCallId) ?? '';
      const name = string(toolName) ?? 'tool';
      const input = inputs.get(id) ?? {};
      const { text: output, attachments } = readContent(members(result).content);
      const exitCode = name === 'bash' ? exitCodeOf(output, isError) : undefined;
      const failed = tools.isAborting || /Command aborted\s*$/.test(output) ? 'cancelled' : 'failed';
      const decision = decisions.get(id);
      const isRefused = decision === 'asked' && isError === true && exitCode === undefined && REFUSED.test(output);
      const status = decision === 'deny' || isRefused ? 'denied' : isError === true ? failed : 'ok';
      chronicle.startTool(id, { name, kind: kindOf(name) });
      if (status === 'ok' && chronicle.isToolOpen(id)) {
        for (const change of changesOf(id, name, input, members(members(result).details))) chronicle.write(change);
      }
      chronicle.endTool(id, { status, output, attachments, exitCode });
      outputs.delete(id);
      inputs.delete(id);
      decisions.delete(id);
    },
    ask(id) {
      decisions.set(id, 'asked');
    },
    decide(id, decision) {
      decisions.set(id, decision);
    },
  };
  return tools;
}

export function kindOf(name: string): ToolKind {
  return lookUp(KINDS, name) ?? 'other';
}

export function summaryOf(name: string, { command, path, pattern }: Json): string {
  if (name === 'bash') return oneLine(string(command) ?? '', SUMMARY_LIMITS.command);
  if (name === 'grep' || name === 'find') return oneLine(string(pattern) ?? '', SUMMARY_LIMITS.pattern);
  return string(path) ?? '';
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  bash: 'execute',
  read: 'read',
  ls: 'search',
  grep: 'search',
  find: 'search',
  edit: 'edit',
  write: 'edit',
};

/** What extensions commonly say of a call that was not allowed. */
const REFUSED = /\b(declined|denied|rejected|refused|blocked|not allowed)\b/i;

/** The exit code is only in the words at the end of the output. */
function exitCodeOf(output: string, isError: unknown): number | undefined {
  const code = /Command exited with code (\d+)\s*$/.exec(output)?.[1];
  if (code !== undefined) return Number(code);
  return isError === true ? undefined : 0;
}

function changesOf(toolId: string, name: string, input: Json, details: Json): Payload[] {
  const path = string(input.path);
  if (path === undefined) return [];
  if (name === 'write') return [{ type: 'file-change', toolId, path, kind: 'create' }];
  if (name !== 'edit') return [];
  return [{ type: 'file-change', toolId, path, kind: 'edit', diff: toUnified(anyString(details.diff) ?? '') }];
}
