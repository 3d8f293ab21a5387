/** What pi's tools are, what they were asked and what they left behind. */
import type { Chronicle, Note } from '../chronicle/chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, members, string } from '../field.js';
import { toUnified } from '../numbered-diff.js';
import { atPaths, replacing, replacingEach, running, searching, together, writing } from '../target.js';
import { toolTable } from '../tool-table.js';

export interface Tools {
  /** The whole output so far, every time. */
  update(id: string, partialResult: Json): void;
  end(line: Json): void;
  /** What ends now without a result was cut off, not failed. */
  isAborting: boolean;
}

export function createTools(chronicle: Chronicle): Tools {
  const outputs = new Map<string, string>();

  const tools: Tools = {
    isAborting: false,
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
      const { text: output, attachments } = readContent(members(result).content);
      const exitCode = name === 'bash' ? exitCodeOf(output, isError) : undefined;
      const failed = tools.isAborting || /Command aborted\s*$/.test(output) ? 'cancelled' : 'failed';
      chronicle.startTool(id, { name });
      const tool = chronicle.tool(id);
      const decision = tool?.decision;
      const mayBeRefused = decision === 'asked' && isError === true && exitCode === undefined;
      const isRefused = mayBeRefused && REFUSED.test(output) && !OF_THE_SYSTEM.test(output);
      const status = decision === 'deny' || isRefused ? 'denied' : isError === true ? failed : 'ok';
      if (status === 'ok' && tool) {
        const details = members(members(result).details);
        for (const change of changesOf(id, name, members(tool.input), details)) chronicle.write(change);
      }
      chronicle.endTool(id, { status, output, attachments, exitCode });
      outputs.delete(id);
    },
  };
  return tools;
}

const REPLACEMENT = { path: 'path', before: 'oldText', after: 'newText' };

export const TOOLS = toolTable({
  kinds: {
    execute: ['bash'],
    read: ['read'],
    search: ['ls', 'grep', 'find'],
    edit: ['edit', 'write'],
  },
  summary: { command: ['command'], pattern: ['pattern'], path: ['path'] },
  opened: pathOpened,
  targets: {
    bash: running('command'),
    read: atPaths('path'),
    ls: searching(['path']),
    grep: searching(['path']),
    find: searching(['path'], ['pattern']),
    edit: together(replacing(REPLACEMENT), replacingEach('edits', REPLACEMENT)),
    write: writing('path', 'content'),
  },
});

/** Every tool takes an `@` in front away, as people write it in a prompt, and takes any space for a plain one (0.73.1, 0.87.1). */
function pathOpened(path: string): string {
  return path.replace(/^@/, '').replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}

/** What extensions commonly say of a call that was not allowed. */
const REFUSED = /\b(declined|denied|rejected|refused|blocked|not allowed)\b/i;

/** `EACCES: permission denied`: the call was let through, and the system refused it. */
const OF_THE_SYSTEM = /^(?:Error: )?E[A-Z]{2,15}: /;

/** The exit code is only in the words at the end of the output. */
function exitCodeOf(output: string, isError: unknown): number | undefined {
  const code = /Command exited with code (\d+)\s*$/.exec(output)?.[1];
  if (code !== undefined) return Number(code);
  return isError === true ? undefined : 0;
}

function changesOf(toolId: string, name: string, input: Json, details: Json): Note[] {
  const written = string(input.path);
  if (written === undefined) return [];
  const path = pathOpened(written);
  if (name === 'write') return [{ type: 'file-change', toolId, path, kind: 'create' }];
  if (name !== 'edit') return [];
  return [{ type: 'file-change', toolId, path, kind: 'edit', diff: toUnified(anyString(details.diff) ?? '') }];
}
