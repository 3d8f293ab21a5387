/** What a person is shown before deciding: the tool, its input, the diff of an edit. Every field is made safe for the terminal. */
import { createPatch } from 'diff';
import type { ApprovalRequest } from '../run/index.js';
import { safe, safeLine } from '../view/text/index.js';

/** Reads a file as it is now, for the diff of a file that is written anew; undefined when it is not there. */
export type ReadFile = (path: string) => string | undefined;

const MOST_LINES = 60;

/** The lines above the question. */
export function requestLines(request: ApprovalRequest, readFile: ReadFile): string[] {
  const title = `Permission required: ${safeLine(request.toolName ?? request.title ?? request.kind)}`;
  switch (request.kind) {
    case 'question':
      return [];
    case 'plan':
      return ['The agent has a plan:', ...block(request.plan ?? '')];
    case 'elicitation':
      return [
        `${safeLine(request.toolName ?? 'A server')} asks: ${safeLine(request.title)}`,
        ...(request.url ? [`  ${safeLine(request.url)}`] : []),
      ];
    case 'other':
      return [safeLine(request.title), ...block(request.description ?? '')];
    default:
      return [title, ...block(editDiff(request.input, readFile) ?? inputText(request))];
  }
}

/** The answer to "why": everything that the agent told about its request. */
export function reasonLines({ reason, description, blockedPath, suggestions, input }: ApprovalRequest): string[] {
  return [
    ...(reason ? [`  It asks because: ${safeLine(reason)}`] : []),
    ...(description ? [`  It says: ${safeLine(description)}`] : []),
    ...(blockedPath ? [`  About: ${safeLine(blockedPath)}`] : []),
    ...(suggestions?.length ? [`  Always would mean: ${safeLine(JSON.stringify(suggestions))}`] : []),
    '  The whole input:',
    ...block(JSON.stringify(input, undefined, 2) ?? ''),
  ];
}

/** A unified diff when the input says what an edit replaces or writes. */
function editDiff(input: unknown, readFile: ReadFile): string | undefined {
  const field = fieldsOf(input);
  const path = field('file_path') ?? field('path') ?? field('filePath');
  if (path === undefined) return undefined;
  const [before, after] = [field('old_string') ?? field('oldString'), field('new_string') ?? field('newString')];
  if (before !== undefined && after !== undefined) return patch(path, before, after);
  const content = field('content');
  return content === undefined ? undefined : patch(path, readFile(path) ?? '', content);
}

function inputText({ summary, input }: ApprovalRequest): string {
  const command = fieldsOf(input)('command');
  return command ?? (summary || JSON.stringify(input, undefined, 2) || '');
}

/** Without the header lines, which only repeat the path. */
function patch(path: string, before: string, after: string): string {
  const lines = createPatch(path, before, after).split('\n').slice(4);
  return [path, ...lines.filter((line) => !line.startsWith('\\'))].join('\n');
}

function block(text: string): string[] {
  const lines = safe(text).trimEnd().split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line}`);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `  … ${more} more lines (w shows the whole input)`] : shown;
}

function fieldsOf(input: unknown): (name: string) => string | undefined {
  const fields = new Map(typeof input === 'object' && input !== null ? Object.entries(input) : []);
  return (name) => {
    const value: unknown = fields.get(name);
    return typeof value === 'string' ? value : undefined;
  };
}
